import { access, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { credentialEnvironment, gitEnvironment } from './git-environment.ts';
import { GitError } from './git-error.ts';
import { runGit, runGitText } from './run-git.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decree-git-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function makeRepository(): Promise<string> {
  const path = join(folder, 'repository');
  await runGit(['init', '--quiet', '--initial-branch=main', path], { cwd: folder });
  return path;
}

/** A git of our own on the PATH, for what the real one does not do on demand. */
async function fakeGit(script: string): Promise<Record<string, string>> {
  const bin = join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'git'), `#!/bin/sh\n${script}\n`);
  await chmod(join(bin, 'git'), 0o755);
  return { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
}

describe('running git', () => {
  test('bytes of any size go in and come out unchanged', async () => {
    const cwd = await makeRepository();
    const content = Buffer.alloc(20 * 1024 * 1024, Buffer.from([0, 255, 10, 13, 128]));
    const sha = await runGitText(['hash-object', '-w', '--stdin'], { cwd, input: content });
    const { stdout } = await runGit(['cat-file', 'blob', sha], { cwd });
    expect(stdout.equals(content)).toBe(true);
  });

  test('arguments reach git as they are, without a shell', async () => {
    const cwd = await makeRepository();
    const text = await runGitText(['rev-parse', '--sq-quote', '$(touch x); `id`', '*'], { cwd });
    expect(text).toBe(" '$(touch x); `id`' '*'");
  });

  test('a failure names the command, the exit code and what git said', async () => {
    const cwd = await makeRepository();
    const error = await runGit(['cat-file', 'blob', 'nothing'], { cwd }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(GitError);
    expect(error).toMatchObject({ args: ['cat-file', 'blob', 'nothing'], exitCode: 128 });
    expect(String(error)).toContain('git cat-file blob nothing failed with exit code 128: fatal:');
  });

  test('an exit code that the caller expects is an answer', async () => {
    const cwd = await makeRepository();
    const { exitCode } = await runGit(['config', '--get', 'no.such'], { cwd, exitCodes: [0, 1] });
    expect(exitCode).toBe(1);
  });

  test('a machine without git gets a message that says what to do', async () => {
    const error = await runGit(['status'], { cwd: folder, env: { PATH: folder } }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(GitError);
    expect(String(error)).toContain('check that git is installed');
  });

  test('git that stops reading its input is judged by its exit code', async () => {
    const env = await fakeGit('exec 0<&-; echo done');
    const { stdout } = await runGit(['x'], { cwd: folder, env, input: Buffer.alloc(4 * 1024 * 1024) });
    expect(stdout.toString()).toBe('done\n');
  });

  test('credentials in arguments and messages are never repeated', async () => {
    const env = await fakeGit('echo "no https://me:pa55@host/x Authorization: Basic c2VjcmV0 there" >&2; exit 3');
    const error = await runGit(['fetch', 'https://x-token:t0k3n@host/x.git'], { cwd: folder, env }).catch(
      (caught: unknown) => caught,
    );
    expect(error).toMatchObject({ exitCode: 3, args: ['fetch', 'https://***@host/x.git'] });
    expect(JSON.stringify(error) + String(error)).not.toMatch(/t0k3n|pa55|c2VjcmV0/);
  });
});

describe('aborting git', () => {
  test('an abort ends git and what it started, and rejects with the reason', async () => {
    const grandchild = `trap 'touch "${folder}/ended"; exit' TERM; touch "${folder}/ready"; while :; do sleep 0.05; done`;
    const env = await fakeGit(`(${grandchild}) & wait`);
    const controller = new AbortController();
    const running = runGit(['x'], { cwd: folder, env, signal: controller.signal });
    await vi.waitFor(() => access(join(folder, 'ready')));
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    await vi.waitFor(() => access(join(folder, 'ended')));
  });

  test('an aborted signal starts nothing', async () => {
    const env = await fakeGit(`touch "${folder}/started"`);
    await expect(runGit(['x'], { cwd: folder, env, signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no');
    await expect(access(join(folder, 'started'))).rejects.toThrow('ENOENT');
  });
});

describe('the environment of git', () => {
  test('nothing but the path, proxies and certificates is inherited', () => {
    const environment = gitEnvironment({ PATH: '/bin', HOME: '/home/me', SSH_AUTH_SOCK: '/s', GITHUB_TOKEN: 't' });
    expect(environment).toMatchObject({ PATH: '/bin', GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_GLOBAL: '/dev/null' });
    expect(environment).not.toHaveProperty('HOME');
    expect(environment).not.toHaveProperty('SSH_AUTH_SOCK');
    expect(environment).not.toHaveProperty('GITHUB_TOKEN');
  });

  test('hooks and file monitors of a repository are not run', async () => {
    const cwd = await makeRepository();
    const trap = join(folder, 'trap.sh');
    await writeFile(trap, `#!/bin/sh\ntouch "${folder}/trapped"\n`);
    await chmod(trap, 0o755);
    await runGit(['config', 'core.fsmonitor', trap], { cwd });
    await writeFile(join(cwd, '.git/hooks/pre-commit'), `#!/bin/sh\nexec "${trap}"\n`, { mode: 0o755 });
    await runGit(['add', '-A'], { cwd });
    const identity = ['-c', 'user.name=decree', '-c', 'user.email=decree@localhost'];
    await runGit([...identity, 'commit', '--quiet', '--allow-empty', '-m', 'x'], { cwd });
    await expect(access(join(folder, 'trapped'))).rejects.toThrow('ENOENT');
  });

  test('a credential is sent as a header, to its own host only', async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const url = `http://127.0.0.1:${port}/x.git`;
      const options = { cwd: folder, exitCodes: [128] };
      const authorization = 'Basic c2VjcmV0';
      await runGit(['ls-remote', url], { ...options, env: credentialEnvironment({ url, authorization }) });
      const other = credentialEnvironment({ url: 'http://localhost:1/x.git', authorization });
      await runGit(['ls-remote', url], { ...options, env: other });
      expect(new Set(seen)).toEqual(new Set(['Basic c2VjcmV0', undefined]));
    } finally {
      server.close();
    }
  });

  test('without a credential nothing is added', () => {
    expect(credentialEnvironment({ url: '/some/where.git', authorization: '' })).toEqual({});
  });
});
