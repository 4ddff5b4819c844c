import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import os from 'node:os';
import { gitText } from '../git-text.ts';
import { decree } from './cli-process.ts';
import type { CLIEnd } from './cli-process.ts';

let end: CLIEnd = { code: null, stdout: '', stderr: '' };
let folder = '';

beforeAll(async () => {
  end = await decree(['demo'], { cwd: os.tmpdir() });
  folder = /rm -r (?<folder>\S+)/.exec(end.stdout)?.groups?.['folder'] ?? '';
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const inSample = (...args: string[]) => decree(args, { cwd: path.join(folder, 'measure') });

test('without a terminal the demo prints what happens and a summary, and ends with 0', () => {
  expect(end).toMatchObject({ code: 0, stderr: '' });
  for (const pattern of [
    /planner +started on docs\/specs\/unit-converter\.md/,
    /#2 Convert distances: needs-changes/,
    /human +merges #\d/,
    /#2 +Convert distances +closed +#\d +2 +1 +\d+ s/,
    /Every work item was planned, implemented, reviewed, merged and closed/,
  ]) {
    expect(end.stdout).toMatch(pattern);
  }
  expect(end.stdout).not.toContain('\u001b[');
});

test('it leaves the repository for a look where it says', async () => {
  const command = /git -C (?<repository>\S+) log/.exec(end.stdout)?.groups?.['repository'] ?? '';
  expect(await gitText(command, 'show', 'main:src/distance.js')).toContain('RangeError');
});

test('runs and transcripts of the sample can be read, and its journal replayed', async () => {
  const runs = await inSample('runs', '--limit', '3');
  expect(runs.code).toBe(0);
  expect(runs.stdout.trim().split('\n')).toHaveLength(4);
  const session = /^(?<id>\S{8}) +reviewer/m.exec(runs.stdout)?.groups?.['id'] ?? '';
  const [shown, log, nobody, replay] = await Promise.all([
    inSample('runs', session),
    inSample('logs', session),
    inSample('logs', 'ffffffff-no-such-session'),
    inSample('replay'),
  ]);
  expect(shown.stdout).toMatch(/status +completed/);
  expect(log.stdout).toContain('Reading the change against the work item.');
  expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no run') });
  expect(replay).toMatchObject({ code: 0, stdout: expect.stringMatching(/events replayed: the same \d+ commands/) });
});
