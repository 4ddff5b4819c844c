import { credentialEnvironment } from '../../git/git-environment.ts';
import { runGit, runGitText } from '../../git/run-git.ts';

/**
 * Brings the embedded forge up to the default branch of the checkout, as far as that loses nothing there. Returns what
 * a person should know if it could not, else null.
 */
export async function pushDefaultBranch(repoRoot: string, branch: string, gitURL: string): Promise<string | null> {
  const local = `refs/heads/${branch}`;
  const { exitCode } = await runGit(['rev-parse', '--verify', '--quiet', `${local}^{commit}`], {
    cwd: repoRoot,
    exitCodes: [0, 1, 128],
  });
  if (exitCode !== 0) return `This repository has no commit on the branch '${branch}' yet: decree has nothing to read.`;

  const { url, env } = withoutCredential(gitURL);
  const pushed = await runGit(['push', '--quiet', '--', url, `${local}:${local}`], {
    cwd: repoRoot,
    env,
    exitCodes: [0, 1],
  });
  if (pushed.exitCode === 0) return null;
  const onForge = await runGitText(['ls-remote', '--', url, local], { cwd: repoRoot, env });
  const head = onForge.slice(0, 10);
  return `The embedded forge's '${branch}' (${head}) has commits that yours has not: \`git pull decree ${branch}\`, then push.`;
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
