/** Names the command that made the commit, so that a lost answer can be told from a lost call. */
const RUN_TRAILER = 'Decree-Run';
/** On commits that hold nothing but a patch on top of this commit of the default branch. */
const BASE_TRAILER = 'Decree-Base';

export interface Trailers {
  readonly key?: string | undefined;
  readonly baseSHA?: string | undefined;
}

export function applyMessage(workItemID: string, trailers: Trailers): string {
  return withTrailers(`decree: apply patch for #${workItemID}`, trailers);
}

export function mergeMessage(what: string, branch: string, trailers: Trailers): string {
  return withTrailers(`Merge ${what} into ${branch}`, trailers);
}

export function runOf(message: string): string | null {
  return trailerOf(message, RUN_TRAILER);
}

export function baseOf(message: string): string | null {
  return trailerOf(message, BASE_TRAILER);
}

function withTrailers(subject: string, { key, baseSHA }: Trailers): string {
  const trailers = [
    ...(key === undefined ? [] : [`${RUN_TRAILER}: ${key}`]),
    ...(baseSHA === undefined ? [] : [`${BASE_TRAILER}: ${baseSHA}`]),
  ];
  return trailers.length === 0 ? subject : `${subject}\n\n${trailers.join('\n')}`;
}

function trailerOf(message: string, name: string): string | null {
  const line = message.split('\n').findLast((text) => text.startsWith(`${name}: `));
  return line === undefined ? null : line.slice(name.length + 2).trim();
}
