import { describe, test } from 'vitest';
import type { TestContext } from 'vitest';
import type { EngineSnapshot } from '../../src/engine/engine-types.ts';
import { createFirstRunQuestion } from '../../src/tui/first-run-question.ts';
import { cellsOf } from '../../src/tui/view-model/text-cells.ts';
import { createFakeEngine } from './fake-engine.ts';
import { KEYS, openScreen } from './open-screen.ts';
import type { ScreenOptions, TestScreen } from './open-screen.ts';
import { createSampleDay } from './sample-day.ts';
import { implementorOf, item, plannerOf, revision, run } from './sample-snapshot.ts';

/** A screen that is closed at the end of its test. Tests run side by side: most of their time they wait. */
function openFor({ onTestFinished }: TestContext, options: ScreenOptions): TestScreen {
  const screen = openScreen(options);
  onTestFinished(() => screen.close());
  return screen;
}

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 160, rows: 50 },
] as const;

describe.concurrent.each(SIZES)('at $columns x $rows', (size) => {
  test('the list has two sections, with status, priority, pull request and CI of every item', async (context) => {
    const { expect } = context;
    const screen = openFor(context, { engine: createSampleDay(), ...size });
    await screen.until('1/10');
    expect(await settled(screen)).toMatchSnapshot();
  });

  test('the details of an item with an agent show its description and its live output', async (context) => {
    const { expect } = context;
    const screen = openFor(context, { engine: createSampleDay(), ...size });
    await screen.until('1/10');
    screen.press(...Array.from({ length: 6 }, () => KEYS.down), KEYS.enter);
    await screen.until('No temperature is below absolute zero');
    await screen.until('Live output of #10');
    await screen.until('Esc list');
    expect(await settled(screen)).toMatchSnapshot();
  });

  test('the details of an item with a pull request show CI, files and review', async (context) => {
    const { expect } = context;
    const screen = openFor(context, { engine: createSampleDay(), ...size });
    await screen.until('1/10');
    screen.press(KEYS.enter);
    await screen.until('Rounds half away from zero');
    await screen.until('Esc list');
    expect(await settled(screen)).toMatchSnapshot();
  });

  test('a failure is shown with the way out and the place of the saved work', async (context) => {
    const { expect } = context;
    const screen = openFor(context, { engine: createSampleDay(), ...size });
    await screen.until('1/10');
    screen.press(KEYS.down, KEYS.enter);
    await screen.until('one per line');
    await screen.until('refs/decree/runs/session-13');
    await screen.until('Esc list');
    expect(await settled(screen)).toMatchSnapshot();
  });

  test('the help names every key', async (context) => {
    const { expect } = context;
    const screen = openFor(context, { engine: createSampleDay(), ...size });
    await screen.until('1/10');
    screen.press('?');
    await screen.until('Act on an item');
    expect(await settled(screen)).toMatchSnapshot();
  });

  test('a search leaves only what matches', async (context) => {
    const { expect } = context;
    const screen = openFor(context, { engine: createSampleDay(), ...size });
    await screen.until('1/10');
    screen.press('/', 'temp');
    await screen.until('/temp▏   1 of 10 found');
    expect(await settled(screen)).toMatchSnapshot();
  });

  test('without work items the screen says how to begin', async (context) => {
    const { expect } = context;
    const screen = openFor(context, { engine: createFakeEngine(), ...size });
    await screen.until('No work items yet.');
    expect(await settled(screen)).toMatchSnapshot();
  });

  test('quitting is asked about, with the number of agents at work', async (context) => {
    const { expect } = context;
    const screen = openFor(context, { engine: createSampleDay(), ...size });
    await screen.until('1/10');
    screen.press('q');
    await screen.until('Quit decree?');
    expect(await settled(screen)).toMatchSnapshot();
  });

  test('a thousand items scroll, by number, and the selected one is always visible', async (context) => {
    const { expect } = context;
    const screen = openFor(context, { engine: createFakeEngine(manyItems(1000)), ...size });
    await screen.until('1/1000');
    screen.press(KEYS.end);
    await screen.until('1000/1000');
    expect(screen.text()).toMatch(/▸ . #1000 .*Item number 1000/);
    screen.press(KEYS.home, ...Array.from({ length: 30 }, () => 'j'));
    await screen.until('31/1000');
    await screen.until(/▸ . +#31 /);
    const numbers = [...screen.text().matchAll(/^ [ ▸] \S +#(\d+)/gm)].map(([, number]) => Number(number));
    expect(numbers.length).toBeGreaterThan(10);
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  });

  test('long titles are cut, wide characters and emoji keep the columns aligned', async (context) => {
    const { expect } = context;
    const screen = openFor(context, { engine: createFakeEngine(STRANGE_TITLES), ...size });
    await screen.until('1/6');
    const text = await settled(screen);
    expect(text).toMatchSnapshot();
    for (const line of text.split('\n')) expect(cellsOf(line)).toBeLessThanOrEqual(size.columns);
  });
});

test.concurrent('the list of a stacked window stands above the details', async (context) => {
  const { expect } = context;
  const screen = openFor(context, { engine: createSampleDay(), columns: 90, rows: 40 });
  await screen.until('Rounds half away from zero');
  expect(await settled(screen)).toMatchSnapshot();
});

test.concurrent(
  'the header shows the planner, waiting agents, scarce money and what a person should know',
  async (context) => {
    const { expect } = context;
    const engine = createFakeEngine({
      workItems: [item(1, 'First', { status: 'in-progress' })],
      runs: [
        run('planner-1', plannerOf('docs/specs/units.md')),
        run('session-1', implementorOf(1), { status: 'waiting', startedAt: null }),
      ],
      spend: { settledUSD: 46.5, reservedUSD: 0, perDayUSD: 50 },
      notices: ["1 runs wait: the day's budget of 50 USD is used up or reserved."],
    });
    const screen = openFor(context, {
      engine,
      warnings: ['Agents run without a sandbox: bubblewrap is not installed.'],
    });
    await screen.until('1/2');
    const header = screen.text().split('\n').slice(0, 3).join('\n');
    expect(header).toMatchInlineSnapshot(`
      " decree  acme/measure                   planner at work · 0 running · 1 waiting
       $46.50 of $50.00 today                                       nothing needs you
       ! 1 runs wait: the day's budget of 50 USD is used…    (2 in all, w shows them)"
    `);
    screen.press('w');
    expect(await screen.until('bubblewrap is not installed.')).toMatchSnapshot();
  },
);

test.concurrent(
  'the first picture is there before the engine has started; a failure to start is shown and rejected',
  async (context) => {
    const { expect } = context;
    const engine = createFakeEngine();
    const starting = Promise.withResolvers<void>();
    engine.started = starting.promise;
    const screen = openFor(context, { engine });
    await screen.until('Reading the repository ...');
    expect(engine.calls.start).toBe(1);
    starting.reject(new Error('GitHub refused the key of app 123 (401): check `githubApp.privateKeyPath`.'));
    expect(await screen.until('decree could not start.')).toMatchSnapshot();
    screen.press('q');
    await expect(screen.ended).rejects.toThrow('GitHub refused the key of app 123');
    expect(engine.calls.stop).toBe(1);
  },
);

test.concurrent(
  'the question of the first run is asked on the screen, and its answer reaches the engine',
  async (context) => {
    const { expect } = context;
    for (const [key, answer] of [
      ['p', 'plan'],
      ['d', 'assume-planned'],
    ] as const) {
      const firstRun = createFirstRunQuestion();
      const engine = createFakeEngine();
      const asked = firstRun.ask(['docs/specs/temperature.md', 'docs/specs/distance.md']);
      engine.started = asked.then(() => {});
      const screen = openFor(context, { engine, firstRun });
      const text = await screen.until('docs/specs/distance.md');
      if (key === 'p') expect(text).toMatchSnapshot();
      screen.press(key);
      await expect(asked).resolves.toBe(answer);
      await screen.until('No work items yet.');
    }
  },
);

test.concurrent('when the last item is closed, the screen says that all is done', async (context) => {
  const { expect } = context;
  const engine = createFakeEngine({ workItems: [item(1, 'First')] });
  const screen = openFor(context, { engine });
  await screen.until(' 1/1');
  const closed = { title: 'First', oldStatus: 'approved', newStatus: null, priorityLabel: '', createdAt: '' };
  engine.emit({ type: 'issueStatusChanged', issueNumber: 1, ...closed });
  engine.show({ workItems: [] });
  expect(await screen.until('All work is done: 1 item closed.')).toContain('#1 is closed: First');
});

test.concurrent('a long output is scrolled back, stays there while more comes, and follows again', async (context) => {
  const { expect } = context;
  const engine = createFakeEngine({
    workItems: [item(1, 'First', { status: 'in-progress' })],
    runs: [run('session-1', implementorOf(1))],
  });
  engine.write('session-1', Array.from({ length: 100 }, (_, index) => `line ${index}.\n`).join(''));
  const screen = openFor(context, { engine });
  await screen.until(' 1/1');
  screen.press('s');
  await screen.until('line 99.');
  screen.press(KEYS.home);
  expect(await screen.until('line 0.')).toContain('scrolled back, End follows');
  screen.press(KEYS.end);
  await screen.until('line 99.');
  engine.write('session-1', 'the end.\n');
  await screen.until('the end.');
});

test.concurrent(
  'a pinned item whose agent has not started yet shows the output as soon as there is one',
  async (context) => {
    const { expect } = context;
    const waiting = run('session-1', implementorOf(1), { status: 'waiting', startedAt: null });
    const workItems = [item(1, 'First', { status: 'in-progress' }), item(2, 'Second')];
    const engine = createFakeEngine({ workItems, runs: [waiting] });
    const screen = openFor(context, { engine, columns: 160, rows: 50 });
    await screen.until('1/2');
    screen.press(KEYS.down, 'p', KEYS.up);
    await screen.until('The agent waits for a slot.');
    engine.show({ runs: [{ ...waiting, status: 'running' }] });
    await screen.until('The agent has not said anything yet.');
    expect(screen.text()).toContain('Live output of #1');
    engine.write('session-1', 'I begin with the tests.\n');
    await screen.until('I begin with the tests.');
    engine.write('session-1', 'They pass.');
    await screen.until('They pass.');
  },
);

test.concurrent('resizing changes the layout and leaves nothing behind', async (context) => {
  const { expect } = context;
  const screen = openFor(context, { engine: createSampleDay(), columns: 160, rows: 50 });
  await screen.until('Rounds half away from zero');
  screen.resize(80, 24);
  await screen.until('Enter details');
  const small = openFor(context, { engine: createSampleDay() });
  await small.until('1/10');
  expect(await settled(screen)).toBe(await settled(small));
  screen.resize(30, 8);
  await screen.until('too small');
  screen.resize(160, 50);
  const large = openFor(context, { engine: createSampleDay(), columns: 160, rows: 50 });
  await large.until('Rounds half away from zero');
  await screen.until('Enter scroll details');
  expect(await settled(screen)).toBe(await settled(large));
});

test.concurrent('nothing from outside reaches the terminal as a control sequence', async (context) => {
  const { expect } = context;
  const evil = 'Title \u001b[2J\u001b]0;owned\u0007 \u202egnp.exe\r\n\u009b31mred';
  const engine = createFakeEngine({
    workItems: [item(1, evil, { status: 'in-progress' })],
    runs: [run('session-1', implementorOf(1))],
    notices: [evil],
  });
  engine.bodies.set(1, evil);
  engine.write('session-1', `${evil}\n`);
  const screen = openFor(context, { engine, columns: 160, rows: 50 });
  await screen.until('Live output of #1');
  await screen.until('Description');
  const written = screen.written();
  for (const sequence of ['␛[2J', '␛]0', '\u202e', '\u009b']) expect(written).not.toContain(sequence);
});

test.concurrent('the terminal is given back: the alternate screen is left and the cursor shown', async (context) => {
  const { expect } = context;
  const screen = openFor(context, { engine: createSampleDay() });
  await screen.until('1/10');
  expect(screen.terminal.buffer.active.type).toBe('alternate');
  await screen.close();
  expect(screen.written()).toMatch(/␛\[\?1049l[\s\S]*␛\[\?25h/);
  expect(screen.terminal.buffer.active.type).toBe('normal');
});

/** The text once details are read and the screen has stopped changing. */
async function settled(screen: TestScreen): Promise<string> {
  await screen.untilGone('Reading the repository ...');
  return screen.untilGone('reading it ...');
}

function manyItems(count: number): Partial<EngineSnapshot> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  // Not in order: the list sorts.
  return { workItems: numbers.toReversed().map((number) => item(number, `Item number ${number}`)) };
}

const STRANGE_TITLES: Partial<EngineSnapshot> = {
  workItems: [
    item(1, 'A title that goes on and on, '.repeat(20), { linkedRevision: '11' }),
    item(2, '日本語のタイトルはとても長いので切り詰められます。'.repeat(4)),
    item(3, 'Rockets 🚀🚀🚀 and families 👩‍👩‍👧‍👦 and flags 🇩🇪 and thumbs 👍🏽 and keys 1️⃣ and warnings ⚠️'),
    item(4, 'Combining: é å ñ, Arabic: مرحبا, Hindi: नमस्ते', { linkedRevision: '12' }),
    item(5, 'short'),
    item(600, ''),
  ],
  revisions: [revision(11, 1), revision(12, 4)],
};
