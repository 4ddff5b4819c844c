import type { Baseline, Finding, Goal, Unit } from './benchmark.ts';
import type { Spread } from './spread.ts';
import { spreadOf } from './spread.ts';

export interface Measured {
  readonly what: string;
  readonly unit: Unit;
  readonly ours: readonly number[];
  readonly baseline?: { readonly name: string; readonly values: readonly number[] };
  readonly wanted?: Omit<Goal, 'isMet'>;
}

/** Puts measurements together. Ratios are taken round by round: a busy moment of the machine meets both sides. */
export function finding({ what, unit, ours, baseline, wanted }: Measured): Finding {
  const spread = spreadOf(ours);
  const against: Baseline | null =
    baseline === undefined ? null : { name: baseline.name, spread: spreadOf(baseline.values) };
  const ratio =
    baseline === undefined ? null : spreadOf(ours.map((value, round) => value / at(baseline.values, round)));
  const goal = wanted === undefined ? null : { ...wanted, isMet: isMet(wanted, spread, against, ratio) };
  return { what, unit, ours: spread, baseline: against, ratio, wanted: goal };
}

/**
 * Calls the measurements in turns: a round of each to warm up, unless they are warm or there is but one round, then
 * `rounds` rounds. Each returns what it measured; the order changes from round to round, so that none always cleans up
 * after another.
 */
export async function inTurns<Name extends string>(
  rounds: number,
  measurements: Readonly<Record<Name, () => number | Promise<number>>>,
  isWarm = rounds === 1,
): Promise<Record<Name, number[]>> {
  const names = keysOf(measurements);
  const values = new Map<Name, number[]>(names.map((name) => [name, []]));
  if (!isWarm) for (const name of names) await measurements[name]();
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      values.get(name)?.push(await measurements[name]());
    }
  }
  return fromKeys(names, (name) => values.get(name) ?? []);
}

/** How long something takes, in ms. */
export async function timed(act: () => unknown): Promise<number> {
  const begin = performance.now();
  await act();
  return performance.now() - begin;
}

function isMet({ of, is, limit }: Omit<Goal, 'isMet'>, ours: Spread, baseline: Baseline | null, ratio: Spread | null) {
  const value = {
    value: ours.median,
    ratio: ratio?.median ?? Number.NaN,
    difference: ours.median - (baseline?.spread.median ?? Number.NaN),
  }[of];
  return is === 'at most' ? value <= limit : value >= limit;
}

function at(values: readonly number[], index: number): number {
  const value = values[index];
  if (value === undefined) throw new Error('Both sides must be measured equally often.');
  return value;
}

function keysOf<Name extends string>(record: Readonly<Record<Name, unknown>>): Name[] {
  const names: Name[] = [];
  for (const name in record) names.push(name);
  return names;
}

function fromKeys<Name extends string, T>(names: readonly Name[], valueOf: (name: Name) => T): Record<Name, T>;
function fromKeys(names: readonly string[], valueOf: (name: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}
