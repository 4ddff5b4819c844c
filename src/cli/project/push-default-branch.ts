import { credentialEnvironment } from '../../git/git-environment.ts';
import { runGit, runGitText } from '../../git/run-git.ts';

/**
 * Brings the embedded forge up to the default branch of the checkout, as far as that loses nothing there. Returns what
 * a person should know if it could not, else null.
 */
export async function pushDefaultBranch(repoRoot: string, branch: string, gitURL: string): Promise<string | null> {
  if (!(await hasBranch(repoRoot, branch))) return noBranch(branch);
  const local = `refs/heads/${branch}`;
  const { url, env } = withoutCredential(gitURL);
  const pushed = await runGit(['push', '--quiet', '--', url, `${local}:${local}`], {
    cwd: repoRoot,
    env,
    exitCodes: [0, 1],
  });
  if (pushed.exitCode === 0) return null;
  if ((await runGitText(['rev-parse', '--is-shallow-repository'], { cwd: repoRoot })) === 'true') {
    return `This clone is shallow, and the embedded forge needs the whole history of '${branch}': \`git fetch --unshallow\`, then start again.`;
  }
  const onForge = await runGitText(['ls-remote', '--', url, local], { cwd: repoRoot, env });
  const head = onForge.slice(0, 10);
  return `The embedded forge's '${branch}' (${head}) has commits that yours has not: \`git pull decree ${branch}\`, then push.`;
}

/** Whether the checkout has a commit on that branch. */
export async function hasBranch(repoRoot: string, branch: string): Promise<boolean> {
  const args = ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`];
  return (await runGit(args, { cwd: repoRoot, exitCodes: [0, 1, 128] })).exitCode === 0;
}

export function noBranch(branch: string): string {
  return `This repository has no commit on the branch '${branch}' yet: decree has nothing to read.`;
}

/** The credential goes into the environment of the git call: arguments can be listed by other users. */
function withoutCredential(gitURL: string): { url: string; env: Record<string, string> } {
  const url = new URL(gitURL);
  const credential = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  const authorization = `Basic ${Buffer.from(credential).toString('base64')}`;
  return { url: url.href, env: credentialEnvironment({ url: url.href, authorization }) };
}
