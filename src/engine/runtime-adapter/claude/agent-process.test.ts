import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createAgentProcess } from './agent-process.ts';
import { findSessionProcesses, SESSION_VARIABLE } from '../session/end-session-processes.ts';

const signal = new AbortController().signal;

function start(script: string, termPatienceMs?: number) {
  const sessionID = randomUUID();
  const agent = createAgentProcess(sessionID, termPatienceMs);
  const env = { PATH: process.env['PATH'], [SESSION_VARIABLE]: sessionID };
  const child = agent.spawn({ command: '/bin/sh', args: ['-c', script], env, signal });
  return { agent, child, sessionID };
}

test('a process that ends by itself is let alone', async () => {
  const { agent, child } = start('exit 3');
  await agent.end(10_000);
  expect(child.exitCode).toBe(3);
});

test('a process that stays is asked to end', async () => {
  const { agent, child } = start('trap "exit 4" TERM; echo ready; while :; do sleep 0.05; done');
  await once(child.stdout, 'data');
  await agent.end(0);
  expect(child.exitCode).toBe(4);
});

test('a process that does not listen is killed', async () => {
  const { agent, child } = start('trap "" TERM; echo ready; while :; do sleep 0.05; done', 50);
  await once(child.stdout, 'data');
  await agent.end(0);
  expect(child.signalCode).toBe('SIGKILL');
});

test('what a process started and left running is ended with it, in whatever group it is', async () => {
  const { agent, child, sessionID } = start('setsid sleep 1000 & sleep 1000 & echo ready; exit 0');
  await once(child.stdout, 'data');
  await agent.end(10_000);
  expect(await findSessionProcesses(sessionID)).toEqual([]);
});

test('a program that cannot be started has nothing to end', async () => {
  const agent = createAgentProcess(randomUUID());
  const child = agent.spawn({ command: '/nonexistent/claude', args: [], env: {}, signal });
  child.on('error', () => undefined);
  await agent.end(10_000);
  expect(agent.pid()).toBeNull();
});

test('the end of its complaints is kept', async () => {
  const { agent } = start('echo broken >&2; exit 1');
  await expect.poll(() => agent.stderr()).toBe('broken');
  await agent.end(10_000);
});
