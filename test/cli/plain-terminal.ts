import type { Terminal } from '../../src/cli/terminal/terminal.ts';

/** A terminal without colours or a person, and all that was said on it. */
export function createPlainTerminal(): { readonly terminal: Terminal; readonly said: () => string } {
  const lines: string[] = [];
  const print = (text: string) => void lines.push(text);
  const terminal: Terminal = {
    print,
    note: print,
    isScreen: false,
    canAsk: false,
    style: (_, text) => text,
    progress: (_, work) => work,
  };
  return { terminal, said: () => lines.join('\n') };
}
