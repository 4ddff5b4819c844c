/** One block of an assistant message: words, or the call of a tool. */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** What the model does with one request. */
export type Turn =
  | { readonly type: 'message'; readonly blocks: readonly Block[]; readonly outputTokens: number }
  | { readonly type: 'error'; readonly status: number; readonly kind: string; readonly message: string }
  /** Takes the request and never answers. */
  | { readonly type: 'hang' };

/** The turns of a session in order, the last one repeated; or a function of the request's number (from 0) and text. */
export type Script = readonly Turn[] | ((index: number, request: string) => Turn);

export function text(words: string): Block {
  return { type: 'text', text: words };
}

export function tool(name: string, input: Readonly<Record<string, unknown>>): Block {
  return { type: 'tool_use', name, input };
}

export function message(...blocks: readonly Block[]): Turn {
  return { type: 'message', blocks, outputTokens: 20 };
}

/** A message that costs a lot, for budgets. */
export function longMessage(outputTokens: number, ...blocks: readonly Block[]): Turn {
  return { type: 'message', blocks, outputTokens };
}

export function apiError(status: number, kind: string, words: string): Turn {
  return { type: 'error', status, kind, message: words };
}

export const hang: Turn = { type: 'hang' };

/** The call with which a session under an output schema ends. */
export function finish(output: Readonly<Record<string, unknown>>): Turn {
  return message(tool('StructuredOutput', output));
}

export function turnAt(script: Script, index: number, request = ''): Turn {
  if (typeof script === 'function') return script(index, request);
  const turn = script[Math.min(index, script.length - 1)];
  if (turn === undefined) throw new Error('A script needs at least one turn.');
  return turn;
}
