/** `node test/guards/fuzz.ts --cases 10000 [--seed 1]`: exits with 1 if a rewritten command is let through. */
import { parseArgs } from 'node:util';
import { fuzzValidator } from './fuzz-validator.ts';

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
});
const report = fuzzValidator({ cases: Number(values.cases), seed: Number(values.seed), oracleEvery: 10 });
for (const command of report.letThrough) console.log(`LET THROUGH ${JSON.stringify(command)}`);
console.log(
  `${report.cases} rewrites of ${report.seeds} blocked commands, ${report.letThrough.length} let through; ` +
    `bash was asked about ${report.checked} and ${report.kept} of them made the same call.`,
);
process.exitCode = report.letThrough.length === 0 ? 0 : 1;
