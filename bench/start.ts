import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pty from '@lydell/node-pty';
import { z } from 'zod';
import { runGit } from '../src/git/run-git.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { finding, inTurns, timed } from './harness/measure.ts';

/** The compiled command line, from its start to its end or to the first picture of the terminal UI. */
export const start: Benchmark = {
  name: 'start',
  asks: '`decree --version` and the first screen, over a bare start of Node',
  run: async ({ scale, built }) => {
    const rounds = scale === 'full' ? 15 : 1;
    const main = path.join(await built(), 'src', 'cli', 'main.js');
    await using silent = await createSilentRepository();
    const node = (...args: string[]) => timed(() => promisify(execFile)(process.execPath, args));
    const values = await inTurns(rounds, {
      version: () => node(main, '--version'),
      screen: () => timed(() => firstScreen(main, silent)),
      bare: () => node('--eval', ''),
    });
    const baseline = { name: 'bare Node', values: values.bare };
    const wanted = { of: 'difference', is: 'at most', limit: 150 } as const;
    return [
      finding({ what: '`decree --version`', unit: 'ms', ours: values.version, baseline, wanted }),
      finding({
        what: 'the first screen, while the forge does not answer at all',
        unit: 'ms',
        ours: values.screen,
        baseline,
      }),
    ];
  },
};

interface SilentRepository extends AsyncDisposable {
  readonly folder: string;
}

/** A configured repository whose forge takes requests and never answers. */
async function createSilentRepository(): Promise<SilentRepository> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const folder = await mkdtemp(path.join(os.tmpdir(), 'decree-bench-'));
  await runGit(['init', '--quiet', '--initial-branch=main'], { cwd: folder });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(path.join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const config = {
    forge: 'github',
    repository: 'acme/importer',
    githubBaseURL: `http://127.0.0.1:${port}`,
    githubAppID: 1,
    githubAppInstallationID: 1,
    githubAppPrivateKeyPath: 'key.pem',
  };
  await writeFile(path.join(folder, 'decree.config.mjs'), `export default ${JSON.stringify(config)};\n`);
  return {
    folder,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves when the terminal UI has drawn its header. Rejects if it ends before that. */
async function firstScreen(main: string, { folder }: SilentRepository): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, TERM: 'xterm-256color', NO_COLOR: '1' };
  const child = pty.spawn(process.execPath, [main], { cols: 120, rows: 40, cwd: folder, env });
  const ended = new Promise<void>((resolve) => child.onExit(() => resolve()));
  let screen = '';
  const drawn = new Promise<void>((resolve) => {
    child.onData((data) => {
      screen += data;
      if (screen.includes('acme/importer')) resolve();
    });
  });
  await Promise.race([drawn, ended]);
  if (!screen.includes('acme/importer')) throw new Error(`The terminal UI never drew its first screen:\n${screen}`);
  child.kill('SIGKILL');
  await ended;
}
