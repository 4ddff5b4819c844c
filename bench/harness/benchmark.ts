import type { Spread } from './spread.ts';

/** One question about speed or size. */
export interface Benchmark {
  /** For `--only`. */
  readonly name: string;
  readonly asks: string;
  /** Rejects if it cannot be measured. */
  run(surroundings: Surroundings): Promise<Finding[]>;
}

export interface Surroundings {
  readonly scale: Scale;
  /** The folder of a freshly compiled decree, with the same folders as the sources. */
  readonly built: () => Promise<string>;
}

/** `smoke` only shows that it works: sizes are tiny, and its numbers mean nothing. */
export type Scale = 'full' | 'smoke';

/** One line of the report. */
export interface Finding {
  readonly what: string;
  readonly unit: Unit;
  readonly ours: Spread;
  /** What ours is measured against, in the same run, in turns with it. */
  readonly baseline: Baseline | null;
  /** Ours over the baseline, round by round. */
  readonly ratio: Spread | null;
  readonly wanted: Goal | null;
}

export type Unit = 'events/s' | 'ms' | 'requests' | 'points' | 'MiB' | '% of a core' | '% of all cores';

export interface Baseline {
  readonly name: string;
  readonly spread: Spread;
}

/** A goal never fails a run: machines differ. It is said whether it was met. */
export interface Goal {
  readonly of: 'value' | 'ratio' | 'difference';
  readonly is: 'at most' | 'at least';
  readonly limit: number;
  readonly isMet: boolean;
}
