import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGit } from '../../../git/run-git.ts';

/** The hunks of a unified diff between two texts, '' if they are equal. */
export async function diffTexts(before: string, after: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'decree-diff-'));
  try {
    await Promise.all([writeFile(join(folder, 'before'), before), writeFile(join(folder, 'after'), after)]);
    const { stdout } = await runGit(['diff', '--no-index', '--no-ext-diff', '--text', 'before', 'after'], {
      cwd: folder,
      exitCodes: [0, 1],
    });
    const diff = stdout.toString('utf8');
    // The lines above the first hunk only name the temporary files.
    return diff.slice(Math.max(0, diff.indexOf('\n@@') + 1));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
