import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runGit } from '../../src/git/run-git.ts';

/** A checkout whose first commit on `main` holds these files; the forge has it too. */
export async function seedRepository(
  repoRoot: string,
  gitURL: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  await mkdir(repoRoot, { recursive: true });
  const git = (...args: string[]) => runGit(args, { cwd: repoRoot });
  await git('init', '--quiet', '--initial-branch', 'main');
  await commitFiles(repoRoot, files);
  await git('push', '--quiet', gitURL, 'main');
}

/** Writes files and commits all that there is, as a person. */
export async function commitFiles(repoRoot: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(repoRoot, file)), { recursive: true });
    await writeFile(path.join(repoRoot, file), text);
  }
  const git = (...args: string[]) => runGit(args, { cwd: repoRoot });
  await git('add', '--', ...Object.keys(files));
  await git('-c', 'user.name=human', '-c', 'user.email=human@example.com', 'commit', '--quiet', '-m', 'Write files');
}

/** The text of a spec that a person has approved. */
export function approvedSpec(text: string): string {
  return `---\nstatus: approved\n---\n${text}\n`;
}
