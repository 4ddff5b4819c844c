import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AgentRunHandle, RuntimeAdapter } from '../../src/engine/ports.ts';
import { createScriptedAdapter } from '../../src/engine/runtime-adapter/scripted/create-scripted-adapter.ts';
import type { Step } from '../../src/engine/runtime-adapter/scripted/scenario.ts';
import { runGit } from '../../src/git/run-git.ts';
import {
  createRuntimeAdapterFixture,
  makeTemplate,
  type RuntimeAdapterFixture,
} from '../contracts/runtime-adapter-fixture.ts';
import { TRANSCRIPT_PROCESS } from './transcript-process.ts';
import { implementorParams } from '../world/implementor-params.ts';

/**
 * The kernel refuses to let files grow beyond a limit (RLIMIT_FSIZE), as it does on a full disk; it only calls it "File too
 * large". Needs no rights, and fills no real disk.
 */
const BLOCKS = 128; // of 512 bytes
const LIMITED = `trap '' XFSZ; ulimit -f ${BLOCKS};`;
const LARGE = 'x'.repeat(BLOCKS * 512 * 2);

let template = '';
let folder = '';
let fixture: RuntimeAdapterFixture;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'decree-disk-'));
  template = await makeTemplate();
  fixture = await createRuntimeAdapterFixture(template);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await fixture.close();
  for (const each of [template, folder]) await rm(each, { recursive: true });
});

/** From here on the engine's git meets a full disk. */
async function fillDisk(): Promise<void> {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', 'command -v git']);
  await writeFile(path.join(folder, 'git'), `#!/bin/sh\n${LIMITED}\nexec ${stdout.trim()} "$@"\n`);
  await chmod(path.join(folder, 'git'), 0o755);
  vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`);
}

const params = (sessionID: string, branchName = 'issue-7-1') => implementorParams({ sessionID, branchName });

function createAdapter(...steps: Step[]): RuntimeAdapter {
  const script = { runs: [{ role: 'implementor' as const, steps }] };
  return createScriptedAdapter({ ...fixture.config, setupCommand: false, script }, fixture.deps);
}

const DONE: Step = { do: 'return', output: { role: 'implementor', outcome: 'completed', summary: 'done' } };
const failureOf = (handle: AgentRunHandle): Promise<unknown> => handle.result.catch((error: unknown) => error);

test('a transcript is cut short with one warning; the run is not disturbed', async () => {
  const command = `${LIMITED} exec "$0" "$1" "$2"`;
  const { stdout } = await promisify(execFile)('/bin/sh', [
    '-c',
    command,
    process.execPath,
    TRANSCRIPT_PROCESS,
    folder,
  ]);
  expect(JSON.parse(stdout)).toEqual({
    warnings: [{ message: 'Session log could not be written', why: expect.stringContaining('EFBIG') }],
    isNamed: true,
  });
  const [name = ''] = await readdir(folder);
  const kept = await readFile(path.join(folder, name), 'utf8');
  expect(kept).toMatch(/^=== Agent session ===\n[^]*x{10000}/);
  expect(kept).toHaveLength(BLOCKS * 512);
});

test('a worktree that does not fit is a start that fails with the reason, and leaves nothing', async () => {
  await fixture.push('main', 'large.txt', LARGE);
  await fixture.makeClone();
  await fillDisk();
  await expect(createAdapter(DONE).startAgent(params('s1'))).rejects.toThrow(
    /git worktree add .*[^]*unable to write file large\.txt[^]*Is the disk full\?/,
  );
  vi.unstubAllEnvs();
  expect(await fixture.leftovers()).toEqual([]);
  const handle = await createAdapter({ do: 'write', path: 'a.txt', content: 'a\n' }, DONE).startAgent(params('s2'));
  expect(await handle.result).toMatchObject({ outcome: 'completed' });
});

test('a fetch that does not fit is a start that fails with the reason, and leaves no half of it', async () => {
  await fixture.makeClone();
  // Git keeps what it receives as a pack only from a hundred objects on.
  const files = Array.from({ length: 100 }, (_, name) => `M 644 inline ${name}.txt\ndata <<.\n${name}\n.\n`);
  files.push(`M 644 inline noise.bin\ndata <<.\n${noise(BLOCKS * 512 * 2)}\n.\n`);
  const commit = `commit refs/heads/main\ncommitter p <p@example.com> 0 +0000\ndata 0\nfrom refs/heads/main^0\n`;
  await runGit(['fast-import', '--quiet'], { cwd: fixture.remote, input: commit + files.join('') });
  await fillDisk();
  const adapter = createAdapter(DONE);
  for (const session of ['s1', 's2']) {
    await expect(adapter.startAgent(params(session))).rejects.toThrow(
      /git fetch .*[^]*File too large[^]*Is the disk full\?/,
    );
  }
  vi.unstubAllEnvs();
  const packs = await readdir(path.join(fixture.checkout, '.decree/repo.git/objects/pack')).catch(() => []);
  expect(packs.filter((name) => name.startsWith('tmp_'))).toEqual([]);
  expect(await fixture.leftovers()).toEqual([]);
});

test('work that cannot be stored is a run that fails with the reason; it stays where it is until it can be', async () => {
  await fixture.makeClone();
  const adapter = createAdapter({ do: 'write', path: 'noise.bin', content: noise(BLOCKS * 512 * 2) }, DONE);
  await fillDisk();
  const failure = await failureOf(await adapter.startAgent(params('s1')));
  expect(failure).toMatchObject({ kind: 'failed', savedRef: null });
  expect(failure).toHaveProperty('message', expect.stringContaining('Is the disk full?'));
  expect(await readdir(path.join(fixture.checkout, '.worktrees/issue-7-1'))).toContain('noise.bin');

  vi.unstubAllEnvs();
  const next = await adapter.startAgent(params('s2', 'issue-7-2'));
  expect(await fixture.inClone('cat-file', '-s', 'refs/decree/runs/s1:noise.bin')).toBe(String(BLOCKS * 512 * 2));
  expect(await next.result).toMatchObject({ outcome: 'completed' });
  expect(await fixture.leftovers()).toEqual([]);
});

/** Text that cannot be made smaller. */
function noise(length: number): string {
  let state = 1;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += String.fromCharCode(33 + ((state >>> 16) % 90));
  }
  return text;
}
