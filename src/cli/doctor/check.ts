/** What a check found. `fix` says what to do about it; a warning does not make the doctor fail. */
export type Finding =
  | { readonly result: 'ok'; readonly detail: string }
  | { readonly result: 'warning' | 'failed'; readonly detail: string; readonly fix: string };

export interface CheckedRow {
  readonly name: string;
  readonly finding: Finding;
}

export const ok = (detail: string): Finding => ({ result: 'ok', detail });
export const warning = (detail: string, fix: string): Finding => ({ result: 'warning', detail, fix });
export const failed = (detail: string, fix: string): Finding => ({ result: 'failed', detail, fix });

/** A check that throws has failed; `fix` is what helps then. */
export async function check(name: string, fix: string, look: () => Promise<Finding>): Promise<CheckedRow> {
  try {
    return { name, finding: await look() };
  } catch (error) {
    return { name, finding: failed(error instanceof Error ? error.message : String(error), fix) };
  }
}
