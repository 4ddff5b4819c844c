/** What a client asked for, as the proxy saw it. */
export interface ProxiedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly body: string;
}

/** Whether this is git's own traffic: its bodies are bytes, not text. */
export function isGitRequest(path: string): boolean {
  return /\/(info\/refs|git-upload-pack|git-receive-pack)(\?|$)/.test(path);
}

export interface ProxiedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * What goes wrong. `answer` and `drop` happen before the forge has seen the request, the `...-after-applying` ones when
 * it has done its work and only the answer is lost. `hold` lets nothing through until its promise settles. `stale`
 * repeats the first good answer that the forge ever gave to this request. `lagging` answers a list as it may have been
 * `lagMs` ago. `rewrite` changes a good answer.
 */
export type Fault =
  | ({ readonly kind: 'answer' | 'answer-after-applying' } & ProxiedAnswer)
  | { readonly kind: 'drop' | 'drop-after-applying' }
  | { readonly kind: 'hold'; readonly until: Promise<unknown> }
  | { readonly kind: 'stale' }
  | { readonly kind: 'lagging'; readonly lagMs: number }
  | { readonly kind: 'rewrite'; readonly rewrite: (answer: ProxiedAnswer) => ProxiedAnswer };

export function answer(status: number, headers: Readonly<Record<string, string>> = {}): Fault {
  return { kind: 'answer', status, headers, body: JSON.stringify({ message: `Injected ${status}` }) };
}

export function answerAfterApplying(status: number): Fault {
  return {
    kind: 'answer-after-applying',
    status,
    headers: {},
    body: JSON.stringify({ message: `Injected ${status}` }),
  };
}

export const html: Fault = {
  kind: 'rewrite',
  rewrite: ({ status }) => ({
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: '<!doctype html><title>Please sign in</title>',
  }),
};

export const truncatedJSON: Fault = {
  kind: 'rewrite',
  rewrite: (good) => ({ ...good, body: good.body.slice(0, Math.floor(good.body.length / 2)) }),
};

/** A good answer whose JSON was changed. */
export function changedJSON(change: (json: unknown) => unknown): Fault {
  return {
    kind: 'rewrite',
    rewrite: (good) => ({ ...good, body: JSON.stringify(change(JSON.parse(good.body))) }),
  };
}
