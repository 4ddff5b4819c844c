import type { Environment } from './create-url-opener.ts';
import { runProgram } from './run-program.ts';

type Program = readonly [command: string, ...args: string[]];

/**
 * Puts text into the clipboard and resolves to what it did. On this machine's desktop a program does it; over ssh, or
 * without such a program, the terminal is asked (OSC 52), which never says whether it obeyed. Rejects where neither can be.
 */
export function createCopier(
  environment: Environment,
  terminal: { readonly isTTY?: boolean; write(text: string): unknown },
  platform: string = process.platform,
) {
  const isRemote = environment['SSH_TTY'] !== undefined || environment['SSH_CONNECTION'] !== undefined;
  return async (text: string): Promise<string> => {
    for (const [command, ...args] of isRemote ? [] : programsFor(platform, environment)) {
      if (await runProgram(command, args, text, environment)) return 'Copied';
    }
    if (terminal.isTTY !== true || environment['TERM'] === 'dumb' || environment['TERM'] === 'linux') {
      throw new Error('There is no clipboard here.');
    }
    terminal.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
    return "Sent to the terminal's clipboard";
  };
}

function programsFor(platform: string, environment: Environment): readonly Program[] {
  if (platform === 'darwin') return [['pbcopy']];
  if (platform === 'win32') return [['clip.exe']];
  const wayland: Program[] = environment['WAYLAND_DISPLAY'] === undefined ? [] : [['wl-copy']];
  const x11: Program[] =
    environment['DISPLAY'] === undefined
      ? []
      : [
          ['xclip', '-selection', 'clipboard'],
          ['xsel', '--clipboard', '--input'],
        ];
  return [...wayland, ...x11];
}
