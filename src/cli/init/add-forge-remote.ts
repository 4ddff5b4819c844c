import { runGit, runGitText } from '../../git/run-git.ts';

const REMOTE = 'decree';

/** Makes the embedded forge the remote `decree` of the repository. Says what it did. */
export async function addForgeRemote(repoRoot: string, gitURL: string): Promise<string> {
  const { stdout, exitCode } = await runGit(['remote', 'get-url', REMOTE], { cwd: repoRoot, exitCodes: [0, 2, 128] });
  if (exitCode !== 0) {
    await runGitText(['remote', 'add', REMOTE, gitURL], { cwd: repoRoot });
    return `'${REMOTE}' is the embedded forge; it answers while decree runs`;
  }
  const present = stdout.toString('utf8').trim();
  if (present === gitURL) return `'${REMOTE}' is there`;
  if (!isLocal(present)) return `'${REMOTE}' is somewhere else and was left alone`;
  await runGitText(['remote', 'set-url', REMOTE, gitURL], { cwd: repoRoot });
  return `'${REMOTE}' leads to the new address of the embedded forge`;
}

function isLocal(url: string): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])$/.test(URL.parse(url)?.hostname ?? '');
}
