/** `npm run bench`: every line is a ratio measured in one run, because machines are noisy. */
import { benchDispatch } from './dispatch.ts';
import { benchJournal } from './journal.ts';
import { benchLoop } from './loop.ts';
import { benchPatch } from './patch.ts';

const loop = benchLoop();
const slowest = Math.min(...loop.map(({ eventsPerSecond }) => eventsPerSecond));
const fastest = Math.max(...loop.map(({ eventsPerSecond }) => eventsPerSecond));
for (const { items, eventsPerSecond } of loop)
  console.log(`loop, ${items} items: ${Math.round(eventsPerSecond)} events/s`);
console.log(`loop: fastest over slowest ${(fastest / slowest).toFixed(2)} (wanted: under 2)`);

const journal = await benchJournal();
console.log(
  `journal: ${Math.round(journal.eventsPerSecond)} events/s, ${journal.ratio.toFixed(2)} of bare SQLite (wanted: over 0.5)`,
);

const { applying, publishing } = await benchPatch();
for (const { what, ms, ratio } of applying) {
  console.log(`patch, ${what}: ${ms.toFixed(1)} ms, ${ratio.toFixed(2)} of \`git apply\``);
}
for (const { files, requests } of publishing)
  console.log(`publish, ${files} files: ${requests} requests (wanted: 12 at most)`);

const dispatch = await benchDispatch();
console.log(
  `dispatch: ${Math.round(dispatch.startMs)} ms, ${dispatch.ratio.toFixed(2)} of its bare parts (wanted: under 1.3)`,
);
