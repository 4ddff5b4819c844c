import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { killGroup } from '../../../git/process-group.ts';
import { endIdentifiedProcess, identifyProcess } from './agent-process-identity.ts';

const groups: number[] = [];
afterEach(() => groups.splice(0).forEach((pid) => killGroup({ pid }, 'SIGKILL')));

/** A process with a child in its group. */
async function start() {
  const child = spawn('/bin/sh', ['-c', 'sleep 1000 & echo $!; wait'], { detached: true, env: {} });
  const pid = child.pid ?? 0;
  groups.push(pid);
  const [printed] = await once(child.stdout, 'data');
  return { pid, inGroup: Number(String(printed)), over: once(child, 'exit') };
}

test('a process is ended with its whole group', async () => {
  const { pid, inGroup, over } = await start();
  const identity = await identifyProcess(pid);
  expect(identity).toMatchObject({ pid });
  if (identity !== null) await endIdentifiedProcess(identity);
  expect(await over).toEqual([null, 'SIGKILL']);
  expect(await identifyProcess(inGroup)).toBeNull();
});

test('another process under the same id is left alone', async () => {
  const { pid } = await start();
  const other = await identifyProcess(process.pid);
  await endIdentifiedProcess({ pid, begun: other?.begun ?? '' });
  expect(await identifyProcess(pid)).toMatchObject({ pid });
});

test('the same process is named the same each time, another one otherwise', async () => {
  const { pid, inGroup } = await start();
  expect(await identifyProcess(pid)).toEqual(await identifyProcess(pid));
  expect(await identifyProcess(inGroup)).not.toEqual(await identifyProcess(pid));
});

test('a process that is gone has no name, and ending it does nothing', async () => {
  const { pid, over } = await start();
  const identity = await identifyProcess(pid);
  process.kill(-pid, 'SIGKILL');
  await over;
  expect(await identifyProcess(pid)).toBeNull();
  if (identity !== null) await endIdentifiedProcess(identity);
});
