import { runProgram } from './run-program.ts';

/** The environment in which programs of the desktop are looked for and run. */
export type Environment = Readonly<Record<string, string | undefined>>;

const OPENERS: Readonly<Record<string, readonly (readonly [command: string, ...args: string[]])[]>> = {
  darwin: [['open']],
  win32: [['explorer.exe']],
  linux: [['xdg-open'], ['wslview'], ['gio', 'open']],
};

/** Opens pages in the browser. The function rejects, with a sentence for people, where no program can do it. */
export function createURLOpener(environment: Environment, platform: string = process.platform) {
  return async (url: string): Promise<void> => {
    if (!/^https?:\/\//.test(url)) throw new Error('Only web pages are opened.');
    const openers = OPENERS[platform] ?? OPENERS['linux'] ?? [];
    for (const [command, ...args] of openers) {
      if (await runProgram(command, [...args, url], '', environment)) return;
    }
    throw new Error(`No browser could be started (${openers.map(([command]) => command).join(', ')}).`);
  };
}
