import { execFileSync } from 'node:child_process';
import os from 'node:os';
import type { Finding, Goal, Scale } from './benchmark.ts';
import type { Spread } from './spread.ts';

/** What a run of the suite came to: printed as text, or with `--json` as it is. */
export interface Report {
  /** Raised when a field changes its meaning or goes away. */
  readonly schema: 1;
  readonly scale: Scale;
  readonly machine: Machine;
  readonly benchmarks: readonly Outcome[];
}

export interface Outcome {
  readonly name: string;
  readonly asks: string;
  readonly seconds: number;
  readonly findings: readonly Finding[];
  /** Why it could not be measured; null if it could. */
  readonly error: string | null;
}

export interface Machine {
  readonly node: string;
  readonly sqlite: string;
  readonly git: string;
  readonly platform: string;
  readonly cpu: string;
  readonly cores: number;
}

export function describeMachine(): Machine {
  return {
    node: process.versions.node,
    sqlite: process.versions['sqlite'] ?? 'unknown',
    git: execFileSync('git', ['--version'], { encoding: 'utf8' }).replace('git version', '').trim(),
    platform: `${os.platform()} ${os.arch()}`,
    cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
  };
}

export function formatMachine({ node, sqlite, git, platform, cores }: Machine): string {
  return `Node ${node}, SQLite ${sqlite}, git ${git}, ${platform}, ${cores} cores. Medians; (smallest to largest).`;
}

export function formatOutcome({ name, asks, seconds, findings, error }: Outcome): string {
  const lines = findings.map((each) => `  ${formatFinding(each)}`);
  if (error !== null) lines.push(`  could not be measured: ${error}`);
  return [`${name}: ${asks}  [${seconds.toFixed(0)} s]`, ...lines].join('\n');
}

export function formatFinding({ what, unit, ours, baseline, ratio, wanted }: Finding): string {
  const parts = [`${what}: ${formatSpread(ours)} ${unit}`];
  if (baseline !== null) parts.push(`${baseline.name}: ${formatSpread(baseline.spread)}`);
  if (ratio !== null) parts.push(`ratio ${formatSpread(ratio)}`);
  if (wanted !== null) parts.push(formatGoal(wanted, unit));
  return parts.join(' | ');
}

function formatGoal({ of, is, limit, isMet }: Goal, unit: string): string {
  const what = {
    value: `${formatNumber(limit)} ${unit}`,
    ratio: `ratio ${limit}`,
    difference: `${limit} ${unit} more`,
  };
  return `wanted: ${is} ${what[of]}: ${isMet ? 'met' : 'NOT MET'}`;
}

function formatSpread({ median, min, max, count }: Spread): string {
  const middle = formatNumber(median);
  return count === 1 || min === max ? middle : `${middle} (${formatNumber(min)} to ${formatNumber(max)})`;
}

/** Three digits are as many as a measurement can mean. */
function formatNumber(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toPrecision(Math.abs(value) >= 10 ? 3 : 2);
}
