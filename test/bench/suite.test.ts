import { expect, test } from 'vitest';
import { formatFinding, formatOutcome } from '../../bench/harness/report.ts';
import { finding, inTurns } from '../../bench/harness/measure.ts';
import { spreadOf } from '../../bench/harness/spread.ts';
import { BENCHMARKS, runSuite } from '../../bench/suite.ts';

test('every benchmark can be run, and gives numbers', async () => {
  const outcomes = await runSuite(BENCHMARKS, 'smoke');
  expect(outcomes.map(({ name, error }) => ({ name, error }))).toEqual(
    BENCHMARKS.map(({ name }) => ({ name, error: null })),
  );
  const spreads = outcomes
    .flatMap(({ findings }) => findings)
    .flatMap(({ ours, baseline, ratio }) => [ours, baseline?.spread ?? ours, ratio ?? ours]);
  expect(spreads.length).toBeGreaterThan(3 * BENCHMARKS.length);
  const values = spreads.flatMap(({ median, min, max }) => [median, min, max]);
  expect(values.filter((value) => !Number.isFinite(value))).toEqual([]);
});

test('a benchmark that cannot be measured says why, and the others go on', async () => {
  const broken = { name: 'broken', asks: 'nothing', run: () => Promise.reject(new Error('no luck')) };
  const fine = { name: 'fine', asks: 'little', run: async () => [finding({ what: 'it', unit: 'ms', ours: [1] })] };
  const outcomes = await runSuite([broken, fine], 'smoke');
  expect(outcomes.map(({ error }) => error)).toEqual(['no luck', null]);
  expect(outcomes.map(formatOutcome).join('\n')).toContain('could not be measured: no luck');
});

test('measurements take turns, warmed up, and what is compared is of the same round', async () => {
  const calls: string[] = [];
  const note = (name: string, value: number) => () => {
    calls.push(name);
    return value;
  };
  const values = await inTurns(2, { ours: note('ours', 3), bare: note('bare', 2) });
  expect(calls).toEqual(['ours', 'bare', 'ours', 'bare', 'bare', 'ours']);
  expect(values).toEqual({ ours: [3, 3], bare: [2, 2] });
});

test('a goal is about the value, the ratio or the difference, and a line says whether it was met', () => {
  const measured = {
    what: 'it',
    unit: 'ms',
    ours: [30, 10, 20],
    baseline: { name: 'bare', values: [10, 10, 10] },
  } as const;
  const line = (of: 'value' | 'ratio' | 'difference', is: 'at most' | 'at least', limit: number) =>
    formatFinding(finding({ ...measured, wanted: { of, is, limit } }));
  expect(line('value', 'at most', 20)).toBe(
    'it: 20 (10 to 30) ms | bare: 10 | ratio 2 (1 to 3) | wanted: at most 20 ms: met',
  );
  expect(line('value', 'at most', 19)).toContain('wanted: at most 19 ms: NOT MET');
  expect(line('ratio', 'at least', 2)).toContain('wanted: at least ratio 2: met');
  expect(line('ratio', 'at most', 1.9)).toContain('NOT MET');
  expect(line('difference', 'at most', 10)).toContain('wanted: at most 10 ms more: met');
  expect(line('difference', 'at most', 9)).toContain('NOT MET');
});

test('the median of an even number of values lies between the middle two', () => {
  expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, min: 1, max: 4, count: 4 });
  expect(() => spreadOf([])).toThrow('Nothing was measured.');
});
