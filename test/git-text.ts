import { runGit } from '../src/git/run-git.ts';

/** What git prints, as text. */
export async function gitText(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await runGit(args, { cwd });
  return stdout.toString('utf8');
}
