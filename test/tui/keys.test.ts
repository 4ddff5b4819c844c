import { describe, expect, test } from 'vitest';
import type { TestContext } from 'vitest';
import type { EngineCommand } from '../../src/engine/engine-types.ts';
import { createCopier } from '../../src/tui/desktop/create-copier.ts';
import { createURLOpener } from '../../src/tui/desktop/create-url-opener.ts';
import type { Intent } from '../../src/tui/view-model/keys.ts';
import { KEY_BINDINGS } from '../../src/tui/view-model/keys.ts';
import type { FakeEngine } from './fake-engine.ts';
import { KEYS, openScreen } from './open-screen.ts';
import type { ScreenOptions, TestScreen } from './open-screen.ts';
import { createSampleDay } from './sample-day.ts';
import { NOW, SAMPLE, implementorOf, item, run } from './sample-snapshot.ts';

/** What a terminal sends for the keys that have names. */
const BYTES: Readonly<Record<string, string>> = {
  '↑': KEYS.up,
  '↓': KEYS.down,
  '→': KEYS.right,
  '←': KEYS.left,
  PgUp: KEYS.pageUp,
  PgDn: KEYS.pageDown,
  Home: KEYS.home,
  End: KEYS.end,
  Enter: KEYS.enter,
  Esc: KEYS.escape,
  Tab: KEYS.tab,
  'Ctrl-b': KEYS.ctrlB,
  'Ctrl-c': KEYS.ctrlC,
  'Ctrl-f': KEYS.ctrlF,
};

interface Scene {
  readonly screen: TestScreen;
  readonly engine: FakeEngine;
  readonly opened: string[];
  readonly copied: string[];
  /** Presses the key under test. */
  readonly press: () => void;
}

/** For every intent: what to do with its key, and how to see that it did what the help says. */
const PROOFS: Readonly<Record<Intent, (scene: Scene) => Promise<void>>> = {
  up: ({ screen, press }) => goes(screen, press, [KEYS.down, KEYS.down], '2/10'),
  down: ({ screen, press }) => goes(screen, press, [], '2/10'),
  pageUp: ({ screen, press }) => goes(screen, press, [KEYS.end], '1/10'),
  pageDown: ({ screen, press }) => goes(screen, press, [], '10/10'),
  first: ({ screen, press }) => goes(screen, press, [KEYS.end], '1/10'),
  last: ({ screen, press }) => goes(screen, press, [], '10/10'),
  enter: async ({ screen, press }) => {
    press();
    await screen.until('Rounds half away from zero');
    expect(screen.text()).not.toContain('Agents at work');
  },
  back: async ({ screen, press }) => {
    screen.press(KEYS.enter);
    await screen.untilGone('Agents at work');
    press();
    await screen.until('Agents at work');
  },
  switch: async ({ screen, press }) => {
    press();
    await screen.untilGone('Agents at work');
    press();
    await screen.until('Agents at work');
  },
  dispatch: async ({ screen, engine, press }) => {
    await select(screen, 4);
    press();
    await screen.until('#9 goes to an implementor.');
    expect(engine.sent).toEqual<EngineCommand[]>([{ command: 'dispatchImplementor', issueNumber: 9 }]);
  },
  review: async ({ screen, engine, press }) => {
    engine.show({ runs: [] });
    await screen.until('0 running');
    screen.press('/', '#7', KEYS.enter);
    await screen.until(/ 1\/1$/m);
    press();
    await screen.until('#7 goes to a reviewer.');
    expect(engine.sent).toEqual<EngineCommand[]>([{ command: 'dispatchReviewer', issueNumber: 7 }]);
  },
  merge: async ({ screen, engine, press }) => {
    press();
    await screen.until('Merge pull request #15 of #4?');
    expect(engine.sent).toEqual([]);
    screen.press('y');
    await screen.until('Pull request #15 is being merged.');
    expect(engine.sent).toEqual<EngineCommand[]>([{ command: 'mergeRevision', issueNumber: 4 }]);
  },
  retry: async ({ screen, engine, press }) => {
    const failed = run('session-1', implementorOf(1), { status: 'failed', failure: 'no' });
    const retries = [{ workItemID: '1', at: NOW + 40_000 }];
    engine.show({ workItems: [item(1, 'First', { status: 'pending' })], lastRuns: [failed], runs: [], retries });
    await screen.until(/▸ ↻ #1 /);
    screen.press(KEYS.enter);
    await screen.until('next: tries again in 40s');
    await screen.until('decree tries again in 40s. r tries again now.');
    press();
    await screen.until('#1 goes to an implementor.');
    expect(engine.sent).toEqual<EngineCommand[]>([{ command: 'dispatchImplementor', issueNumber: 1 }]);
  },
  cancel: async ({ screen, engine, press }) => {
    await select(screen, 7);
    press();
    await screen.until('Cancel the implementor of #10?');
    screen.press('y');
    await screen.until('The implementor of #10 is cancelled.');
    expect(engine.sent).toEqual<EngineCommand[]>([{ command: 'cancelAgent', issueNumber: 10 }]);
  },
  open: async ({ screen, opened, press }) => {
    press();
    await screen.until('Opened https://github.com/acme/measure/pull/15');
    expect(opened).toEqual(['https://github.com/acme/measure/pull/15']);
  },
  copy: async ({ screen, copied, press }) => {
    await select(screen, 2);
    press();
    await screen.until('Copied: https://github.com/acme/measure/issues/13');
    expect(copied).toEqual(['https://github.com/acme/measure/issues/13']);
  },
  copyRun: async ({ screen, copied, press }) => {
    await select(screen, 2);
    press();
    await screen.until('Copied: decree runs session-13');
    expect(copied).toEqual(['decree runs session-13']);
  },
  pin: async ({ screen, press }) => {
    screen.resize(160, 50);
    await screen.until('Rounds half away from zero');
    press();
    await screen.until('#4 stays in the details');
    screen.press(KEYS.down);
    await screen.until('2/10');
    expect(screen.text()).toContain('Rounds half away from zero');
    press();
    await screen.until('one per line');
  },
  output: async ({ screen, press }) => {
    await select(screen, 7);
    press();
    await screen.until('I start with the tests');
    expect(screen.text()).not.toContain('Description');
    press();
    await screen.until('Description');
  },
  search: async ({ screen, press }) => {
    press();
    screen.press('kelvin');
    await screen.until('1 of 10 found');
    expect(screen.text()).toContain('Support Kelvin');
    screen.press(KEYS.backspace, KEYS.enter);
    await screen.until('/kelvi   1 of 10 found, Esc ends it');
    screen.press(KEYS.escape);
    await screen.until('/10');
  },
  notices: async ({ screen, engine, press }) => {
    engine.show({ notices: ['The forge answers slowly.'] });
    await screen.until('! The forge answers slowly.');
    press();
    await screen.until('Warnings and notices');
    press();
    await screen.until('Agents at work');
  },
  refresh: async ({ screen, engine, press }) => {
    press();
    await screen.until('all is up to date');
    expect(engine.calls.refresh).toBe(1);
  },
  help: async ({ screen, press }) => {
    press();
    await screen.until('Act on an item');
    screen.press(KEYS.end);
    await screen.until('Symbols');
    press();
    await screen.until('Agents at work');
  },
  quit: async ({ screen, engine, press }) => {
    press();
    await screen.until('Quit decree? 2 agents at work may finish.');
    screen.press('n');
    await screen.untilGone('Quit decree?');
    press();
    await screen.until('Quit decree?');
    screen.press('y');
    await screen.ended;
    expect(engine.calls.stop).toBe(1);
  },
};

/** A screen that is closed at the end of its test. Tests run side by side: most of their time they wait. */
function stage({ onTestFinished }: TestContext, options: Partial<ScreenOptions> = {}): Omit<Scene, 'press'> {
  const engine = createSampleDay();
  const opened: string[] = [];
  const copied: string[] = [];
  const screen = openScreen({
    engine,
    openURL: async (url) => void opened.push(url),
    copyText: async (text) => {
      copied.push(text);
      return 'Copied';
    },
    ...options,
  });
  onTestFinished(() => screen.close());
  return { engine, screen, opened, copied };
}

describe('every key does what the help says', () => {
  const cases = KEY_BINDINGS.flatMap(({ intent, keys, help }) => keys.map((key) => ({ intent, key, help })));
  test.concurrent.for(cases)('$key: $help', async ({ intent, key }, context) => {
    const scene = stage(context);
    await scene.screen.until('1/10');
    await PROOFS[intent]({ ...scene, press: () => scene.screen.press(BYTES[key] ?? key) });
    expect(scene.screen.text()).not.toBe('');
  });
});

test.concurrent('a key that cannot do anything now says why', async (context) => {
  const { screen, engine } = stage(context);
  await screen.until('1/10');
  screen.press('d');
  await screen.until('#4 is approved; m merges it.');
  screen.press('r');
  await screen.until('Nothing failed on #4.');
  screen.press('x');
  await screen.until('No agent is at work on #4.');
  await select(screen, 2);
  screen.press('r');
  await screen.until('#13 is blocked: settle it on the forge');
  await select(screen, 9);
  screen.press('d');
  await screen.until('#14 waits for #10.');
  expect(engine.sent).toEqual([]);
});

test.concurrent('a question that is answered with no does nothing', async (context) => {
  const { screen, engine } = stage(context);
  await screen.until('1/10');
  screen.press('m');
  await screen.until('Merge pull request #15');
  screen.press('d', 'n');
  await screen.untilGone('Merge pull request #15');
  expect(engine.sent).toEqual([]);
});

test.concurrent('the planner can be looked at and cancelled', async (context) => {
  const { screen, engine } = stage(context);
  const planner = run('planner-1', { role: 'planner', specs: { 'docs/specs/units.md': 'sha' }, commitSHA: 'sha' });
  engine.show({ runs: [planner, ...(SAMPLE.runs ?? [])] });
  await screen.until('planner: docs/specs/units.md');
  await select(screen, 6, 11);
  screen.press('x');
  await screen.until('Cancel the planner?');
  screen.press('y');
  await screen.until('The planner is cancelled.');
  expect(engine.sent).toEqual([{ command: 'cancelPlanner' }]);
});

test.concurrent(
  'without a browser, a clipboard or pages there is a message, and the link to copy by hand',
  async (context) => {
    const nothing = { PATH: '/nonexistent', TERM: 'dumb' };
    const { screen } = stage(context, {
      openURL: createURLOpener(nothing, 'linux'),
      copyText: createCopier(nothing, { isTTY: true, write: () => true }, 'linux'),
    });
    await screen.until('1/10');
    screen.press('o');
    await screen.until('No browser could be started (xdg-open, wslview, gio).');
    screen.press('c');
    await screen.until('There is no clipboard here. Here it is:');
    await screen.until('https://github.com/acme/measure/pull/15');

    const embedded = stage(context, { repository: { name: 'acme/measure', url: null } });
    await embedded.screen.until('1/10');
    embedded.screen.press('o');
    await embedded.screen.until('The embedded forge has no pages');
    expect(embedded.opened).toEqual([]);
  },
);

test.concurrent(
  'quitting waits for the agents; Ctrl-C again stops at once, and once more does not wait at all',
  async (context) => {
    const { screen, engine } = stage(context);
    engine.stopped = new Promise(() => {});
    await screen.until('1/10');
    screen.press('q');
    await screen.until('Quit decree?');
    screen.press('y');
    await screen.until('Waiting for 2 agents to finish.');
    expect(engine.calls.stop).toBe(1);
    screen.press(KEYS.ctrlC);
    await screen.until('Stopping at once');
    expect(engine.calls.stop).toBe(2);
    screen.press(KEYS.ctrlC);
    await screen.ended;
  },
);

test.concurrent('two Ctrl-C in a row stop at once', async (context) => {
  const { screen, engine } = stage(context);
  await screen.until('1/10');
  screen.press(KEYS.ctrlC, KEYS.ctrlC);
  await screen.ended;
  expect(engine.calls.stop).toBe(2);
});

test.concurrent('a signal from outside ends the screen gracefully', async (context) => {
  const ending = new AbortController();
  const { screen, engine } = stage(context, { signal: ending.signal });
  await screen.until('1/10');
  ending.abort();
  await screen.ended;
  expect(engine.calls.stop).toBe(1);
});

test.concurrent('an item that leaves the list hands the selection to its neighbour', async (context) => {
  const { screen, engine } = stage(context);
  await screen.until('1/10');
  await select(screen, 2);
  engine.show({ workItems: (SAMPLE.workItems ?? []).filter(({ id }) => id !== '13') });
  await screen.until('2/9');
  expect(await screen.until(/▸ . #16 /)).not.toContain('#13');
});

async function goes(screen: TestScreen, press: () => void, before: readonly string[], place: string): Promise<void> {
  screen.press(...before);
  press();
  await screen.until(` ${place}`);
}

/** Moves from the top to the nth entry. */
async function select(screen: TestScreen, place: number, count = 10): Promise<void> {
  screen.press(KEYS.home, ...Array.from({ length: place - 1 }, () => KEYS.down));
  await screen.until(` ${place}/${count}`);
}
