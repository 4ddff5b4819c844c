import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPlainTerminal } from '../../../test/cli/plain-terminal.ts';
import { createFakeEngine } from '../../../test/tui/fake-engine.ts';
import type { FakeEngine } from '../../../test/tui/fake-engine.ts';
import { implementorOf, item, run } from '../../../test/tui/sample-snapshot.ts';
import { runGitText } from '../../git/run-git.ts';
import { createAnswerer } from '../control/answer-requests.ts';
import { askOnce } from '../control/ask-engine.ts';
import { serveEngine } from '../control/serve-engine.ts';
import { placesIn } from '../project/find-project.ts';
import { status } from './status.ts';

/** An engine that can be asked, in a repository of its own. */
async function serve(engine: FakeEngine): Promise<string> {
  const cwd = await realpath(await mkdtemp(path.join(os.tmpdir(), 'decree-status-')));
  await runGitText(['init', '--quiet'], { cwd });
  const server = await serveEngine(placesIn(cwd).socket, createAnswerer(engine, { pid: 7, repository: 'acme/shop' }));
  onTestFinished(async () => {
    await server.close();
    await rm(cwd, { recursive: true });
  });
  return cwd;
}

function pausingEngine(): FakeEngine {
  return createFakeEngine({
    workItems: [
      item(1, 'First', { status: 'pending' }),
      item(2, 'Second', { status: 'in-progress' }),
      item(3, 'Third'),
    ],
    runs: [run('session-2', implementorOf(2))],
    retries: [
      { workItemID: null, at: 0 },
      { workItemID: '1', at: Date.now() + 90 * 60_000 },
    ],
    dispatch: 'auto',
  });
}

test('says when it tries again what failed', async () => {
  const cwd = await serve(pausingEngine());
  const { terminal, said } = createPlainTerminal();
  await status({ terminal, cwd, isDebugging: false, environment: {} }, {});
  expect(said()).toContain('acme/shop  process 7, dispatch auto');
  expect(said()).toContain('planning failed, tries again now');
  expect(said()).toMatch(/^#1 +pending .* tries again in 1 h \d+ min +First$/m);
  expect(said()).toMatch(/^#2 +in-progress .* implementor +Second$/m);
  expect(said()).toMatch(/^#3 +ready .* - +Third$/m);
});

test('a pause before the next attempt can be cancelled, where there is one', async () => {
  const engine = pausingEngine();
  const { socket } = placesIn(await serve(engine));
  const cancel = (number: number) => askOnce(socket, { ask: 'act', action: 'cancel', item: number });
  expect(await cancel(3)).toMatchObject({ answer: 'refused', text: 'No agent works on #3.' });

  const answer = cancel(1);
  await expect.poll(() => engine.sent).toEqual([{ command: 'cancelAgent', issueNumber: 1 }]);
  engine.show({ retries: [] });
  expect(await answer).toMatchObject({ answer: 'done', text: expect.stringContaining('Work on #1 was cancelled.') });
});
