import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { WORK_KEPT_DAYS } from '../../../domain/run.ts';
import { createDecreeClone } from './decree-clone.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

test('unfinished work that is too old goes while the engine runs, and not only when it starts', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'decree-clone-'));
  try {
    let now = Date.now();
    const unreachable = () => Promise.reject(new Error('no forge is needed'));
    const clone = createDecreeClone(folder, unreachable, undefined, () => now);
    await clone.prepare();
    await clone.tidyUp();
    const tree = await clone.text(['mktree'], { input: '' });
    const author = ['-c', 'user.name=h', '-c', 'user.email=h@example.com'];
    const commit = await clone.text([...author, 'commit-tree', '-m', 'unfinished', tree.trim()]);
    await clone.git(['update-ref', 'refs/decree/runs/old', commit.trim()]);

    now += (WORK_KEPT_DAYS - 1) * DAY_MS;
    await clone.tidyUp();
    expect(await clone.resolve('refs/decree/runs/old')).not.toBeNull();
    now += 2 * DAY_MS;
    await clone.tidyUp();
    expect(await clone.resolve('refs/decree/runs/old')).toBeNull();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
