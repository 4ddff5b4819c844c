import { expect, test } from 'vitest';
import { createFakeForge } from '../../../test/engine/fake-forge.ts';
import { createFakeRuntime } from '../../../test/engine/fake-runtime.ts';
import type { Command } from '../../domain/command.ts';
import type { RunEvent } from '../../domain/event.ts';
import { createMemoryJournal } from '../../journal/create-memory-journal.ts';
import { performCommand } from '../command-executor/perform-command.ts';
import type { PerformDeps } from '../command-executor/perform-command.ts';
import { emptyState } from '../state-store/engine-state.ts';
import { createAgentManager } from './create-agent-manager.ts';

const silent = () => {};
const SUBJECT = { role: 'planner', specs: {}, commitSHA: 'c0ffee' } as const;
const START: Extract<Command, { type: 'startRun' }> = {
  type: 'startRun',
  sessionID: 's',
  subject: SUBJECT,
  attempt: 1,
  model: null,
};

function setUp() {
  const runtime = createFakeRuntime();
  const events: RunEvent[] = [];
  const agents = createAgentManager({
    runtime: runtime.adapter,
    journal: createMemoryJournal(),
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    perRunUSD: 5,
    report: async (event) => void events.push(event),
  });
  return { runtime, events, agents };
}

test('a run that is cancelled before its start does not start; one that is forgotten leaves nothing behind', async () => {
  const { agents, events, runtime } = setUp();
  agents.cancel('s', 'not wanted');
  await agents.start('1.0', START);
  expect(events).toMatchObject([{ type: 'runFailed', reason: 'cancelled', error: 'not wanted', settles: '1.0' }]);

  agents.cancel('s', 'not wanted');
  agents.forget('s');
  await agents.start('2.0', START);
  expect(events[1]).toMatchObject({ type: 'runStarted' });
  agents.cancel('s', 'not wanted any more');
  agents.forget('s'); // it is alive: why it is ended is still needed
  await agents.idle();
  expect(events[2]).toMatchObject({ type: 'runFailed', reason: 'cancelled', error: 'not wanted any more' });
  expect(runtime.live()).toEqual([]);
});

test('what a person cancelled stays cancelled when the engine is shut down', async () => {
  const { agents, events, runtime } = setUp();
  const { cancelAgent } = runtime.adapter;
  await agents.start('1.0', START);
  runtime.adapter.cancelAgent = silent;
  agents.cancel('s', 'not wanted');
  runtime.adapter.cancelAgent = cancelAgent;
  agents.interruptAll('the engine was shut down');
  await agents.idle();
  expect(events[1]).toMatchObject({ type: 'runFailed', reason: 'cancelled', error: 'not wanted' });
});

test('cancelling a run that is over is forgotten at once', async () => {
  const forgotten: string[] = [];
  const unused = () => {
    throw new Error('nothing else is asked for');
  };
  const deps: Pick<PerformDeps, 'state' | 'cancelAgent' | 'forgetAgent'> = {
    state: emptyState,
    cancelAgent: silent,
    forgetAgent: (sessionID) => void forgotten.push(sessionID),
  };
  const command = { type: 'cancelRun', sessionID: 's', reason: 'not wanted' } as const;
  const rest = { journalID: 'j', journal: createMemoryJournal(), announce: unused, startAgent: unused };
  const outcome = await performCommand('1.0', command, unused, {
    ...deps,
    ...rest,
    provider: createFakeForge().provider,
  });
  expect(outcome).toEqual({ type: 'runCancelled', sessionID: 's', settles: '1.0' });
  expect(forgotten).toEqual(['s']);
});
