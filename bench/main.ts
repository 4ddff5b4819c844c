/**
 * `npm run bench`: how fast and how large decree is, each number measured beside something to compare it with, in the
 * same run, because machines are noisy. `--only loop,tui` runs some, `--json` prints one JSON object, `--smoke` shows that
 * everything can be measured. Exit code 1 only if something could not: a slow machine is no failure.
 */
import { parseArgs } from 'node:util';
import { describeMachine, formatMachine, formatOutcome, type Report } from './harness/report.ts';
import { BENCHMARKS, runSuite } from './suite.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    json: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
  },
});
const names = values.only.flatMap((list) => list.split(','));
const unknown = names.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
if (unknown.length > 0) {
  const known = BENCHMARKS.map(({ name }) => name).join(', ');
  console.error(`There is no benchmark called ${unknown.join(', ')}. There are: ${known}.`);
  process.exit(2);
}

const chosen = names.length === 0 ? BENCHMARKS : BENCHMARKS.filter(({ name }) => names.includes(name));
const scale = values.smoke ? 'smoke' : 'full';
const machine = describeMachine();
if (!values.json) console.log(`${formatMachine(machine)}\n`);
const benchmarks = await runSuite(chosen, scale, (outcome) => {
  if (!values.json) console.log(`${formatOutcome(outcome)}\n`);
});
if (values.json) {
  const report: Report = { schema: 1, scale, machine, benchmarks };
  console.log(JSON.stringify(report, null, 2));
}
process.exitCode = benchmarks.some(({ error }) => error !== null) ? 1 : 0;
