import { access } from 'node:fs/promises';
import path from 'node:path';
import { runGit } from '../../git/run-git.ts';
import type { Questions } from '../terminal/questions.ts';
import type { InitAnswers } from './config-text.ts';

/** Asks for what cannot be found out. Every question has a default, which `--yes` takes. */
export async function askSettings(
  repoRoot: string,
  wished: 'embedded' | 'github' | undefined,
  questions: Questions,
): Promise<InitAnswers> {
  const remote = await githubRemote(repoRoot);
  const forge = wished ?? (await askForge(remote !== null, questions));
  const defaultBranch = await findDefaultBranch(repoRoot);
  if (forge === 'embedded') {
    const ciCommand = await questions.ask('Command that checks a change (empty: none)', await guessCICommand(repoRoot));
    return { forge, defaultBranch, ciCommand: ciCommand === '' ? null : ciCommand };
  }
  return {
    forge,
    defaultBranch,
    repository: await questions.ask('Repository on GitHub (owner/repo)', remote ?? 'OWNER/REPO', isRepository),
    appID: Number(await questions.ask('Id of the GitHub App', '1', isNumber)),
    installationID: Number(await questions.ask('Id of its installation', '1', isNumber)),
    privateKeyPath: await questions.ask('Path of its private key', '~/.config/decree/app.pem'),
  };
}

async function askForge(hasGitHub: boolean, questions: Questions): Promise<'embedded' | 'github'> {
  questions.explain(
    'decree keeps work items and pull requests on a forge: on GitHub, where it acts as a GitHub App,\n' +
      'or on an embedded forge on this machine, which needs no account.',
  );
  const answer = await questions.ask('Which forge, github or embedded?', hasGitHub ? 'github' : 'embedded', isForge);
  return answer === 'github' ? 'github' : 'embedded';
}

const isForge = (text: string) => (/^(github|embedded)$/.test(text) ? null : 'Answer github or embedded.');
const isNumber = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? null : 'Give a number.');
const isRepository = (text: string) => (/^[^/\s]+\/[^/\s]+$/.test(text) ? null : 'Write it as owner/repo.');

/** `owner/repo` if the remote `origin` is on github.com. */
async function githubRemote(repoRoot: string): Promise<string | null> {
  const { stdout } = await runGit(['remote', 'get-url', 'origin'], { cwd: repoRoot, exitCodes: [0, 1, 2, 128] });
  const match = /github\.com[:/](?<name>[^/\s]+\/[^/\s]+?)(?:\.git)?\s*$/.exec(stdout.toString('utf8'));
  return match?.groups?.['name'] ?? null;
}

async function findDefaultBranch(repoRoot: string): Promise<string> {
  const { stdout, exitCode } = await runGit(['symbolic-ref', '--short', 'refs/remotes/origin/HEAD'], {
    cwd: repoRoot,
    exitCodes: [0, 1, 128],
  });
  if (exitCode === 0)
    return stdout
      .toString('utf8')
      .trim()
      .replace(/^origin\//, '');
  const head = await runGit(['symbolic-ref', '--short', 'HEAD'], { cwd: repoRoot, exitCodes: [0, 1, 128] });
  return head.exitCode === 0 ? head.stdout.toString('utf8').trim() : 'main';
}

async function guessCICommand(repoRoot: string): Promise<string> {
  const has = (file: string) =>
    access(path.join(repoRoot, file)).then(
      () => true,
      () => false,
    );
  if (await has('package-lock.json')) return 'npm ci && npm test';
  if (await has('yarn.lock')) return 'yarn install && yarn test';
  if (await has('pnpm-lock.yaml')) return 'pnpm install --frozen-lockfile && pnpm test';
  if (await has('package.json')) return 'npm test';
  if (await has('Makefile')) return 'make test';
  return '';
}
