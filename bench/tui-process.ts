/**
 * The terminal UI on an engine that only pretends: so many items, events a second and seconds. Writes to the file that it
 * is given how much of a core it took, counted from its first picture.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { PersistentMap } from '../src/engine/state-store/persistent-map.ts';
import { runTUI } from '../src/tui/run-tui.tsx';
import { createFakeEngine, EMPTY_SNAPSHOT } from '../test/tui/fake-engine.ts';
import { implementorOf, item, run } from '../test/tui/sample-snapshot.ts';

const STREAMS = 10;
const STEP_MS = 10;

const [items = 0, eventsPerSecond = 0, milliseconds = 0] = process.argv.slice(2, 5).map(Number);
const resultFile = process.argv[5] ?? '';
const statuses = ['pending', 'ready', 'review', 'approved', 'in-progress'] as const;
const numbers = Array.from({ length: items }, (_, index) => index + 1);
const titleOf = (number: number) => `Teach the importer to read files of kind ${number}`;
const runs = numbers.slice(0, STREAMS).map((number) => run(`session-${number}`, implementorOf(number)));
// The real engine's store, so that a snapshot costs here what it costs there.
let workItems = PersistentMap.from(numbers.map((number) => [String(number), item(number, titleOf(number))]));
const fake = createFakeEngine();
const engine = {
  ...fake,
  getSnapshot: () => ({ ...EMPTY_SNAPSHOT, workItems: [...workItems.values()], runs }),
};
for (const { sessionID } of runs) fake.write(sessionID, 'I begin.\n');

function happen(count: number): void {
  const number = 1 + (count % items);
  const [oldStatus, status] = [statuses[count % 5] ?? null, statuses[(count + 1) % 5] ?? 'pending'];
  const { createdAt, ...changed } = item(number, titleOf(number), { status });
  workItems = workItems.set(String(number), { ...changed, createdAt });
  const title = changed.title;
  fake.emit({
    type: 'issueStatusChanged',
    issueNumber: number,
    title,
    oldStatus,
    newStatus: status,
    priorityLabel: '',
    createdAt,
  });
  fake.show({});
  fake.write(`session-${1 + (count % STREAMS)}`, `Line ${count} of what an agent says while it works.\n`);
}

async function happenFor(ms: number): Promise<void> {
  const end = performance.now() + ms;
  const perStep = (eventsPerSecond * STEP_MS) / 1000;
  for (let now = performance.now(), due = 0, count = 0; now < end; now = performance.now()) {
    // A busy machine oversleeps: what should have happened meanwhile happens now.
    due += perStep;
    for (; count < due; count++) happen(count);
    await setTimeout(STEP_MS);
  }
}

const over = new AbortController();
const shown = runTUI({
  engine,
  repository: { name: 'acme/importer', url: null },
  openURL: async () => {},
  copyText: async () => 'Copied',
  signal: over.signal,
});
// The code is warm after a while, and the first picture is drawn.
await happenFor(milliseconds / 4);
const before = process.cpuUsage();
const begin = performance.now();
await happenFor(milliseconds);
const { user, system } = process.cpuUsage(before);
const percent = (100 * (user + system)) / 1000 / (performance.now() - begin);
writeFileSync(resultFile, String(percent));
over.abort();
await shown;
process.exit(0);
