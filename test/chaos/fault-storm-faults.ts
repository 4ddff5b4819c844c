import { createHash } from 'node:crypto';
import type { Fault, ProxiedRequest } from '../fault-proxy/fault.ts';
import { answer } from '../fault-proxy/fault.ts';

const FAULT_KINDS = [
  '500',
  '502',
  '429',
  '403',
  'dropped before applying',
  'dropped after applying',
  'stale list',
  'slow',
] as const;
type FaultKind = (typeof FAULT_KINDS)[number];

export interface StormOptions {
  readonly seed: number;
  /** The share of requests that something happens to. */
  readonly rate: number;
  /** How many times faster than real time the engine's clock goes: what is measured in real time shrinks by it. */
  readonly speed: number;
}

export interface Storm {
  choose(request: ProxiedRequest): Fault | null;
  /** How often each kind was chosen. */
  readonly counts: Readonly<Record<FaultKind, number>>;
}

/** Lists lag by up to half a minute; GitHub's do. */
const LAG_MS = 30_000;
const SLOW_MS = 8_000;

/** Goes by the seed and by the how-manyth request of its kind this is, so that the order of requests does not matter. */
export function createStorm({ seed, rate, speed }: StormOptions): Storm {
  const seen = new Map<string, number>();
  const counts = { ...zeroCounts() };
  return {
    counts,
    choose(request) {
      const shape = shapeOf(request);
      const nth = (seen.get(shape) ?? 0) + 1;
      seen.set(shape, nth);
      const draw = (what: string) => unit(`${seed} ${what} ${nth} ${shape}`);
      if (draw('whether') >= rate) return null;
      const kinds = isList(request) ? FAULT_KINDS : FAULT_KINDS.filter((kind) => kind !== 'stale list');
      const kind = kinds[Math.floor(draw('kind') * kinds.length)] ?? '500';
      counts[kind] += 1;
      return faultOf(kind, draw('much'), speed);
    },
  };
}

function faultOf(kind: FaultKind, much: number, speed: number): Fault {
  switch (kind) {
    case '500':
      return answer(500);
    case '502':
      return answer(502);
    case '429':
      return answer(429, { 'retry-after': seconds(much) });
    case '403':
      return answer(403, { 'retry-after': seconds(much) });
    case 'dropped before applying':
      return { kind: 'drop' };
    case 'dropped after applying':
      return { kind: 'drop-after-applying' };
    case 'stale list':
      return { kind: 'lagging', lagMs: LAG_MS / speed };
    case 'slow':
      return { kind: 'hold', until: new Promise((resolve) => setTimeout(resolve, (SLOW_MS * much) / speed)) };
  }
}

/** Mostly short; one in twelve is longer than the provider waits by itself. */
function seconds(much: number): string {
  return String(much > 11 / 12 ? 75 : 1 + Math.floor(much * 8));
}

function isList({ method, path }: ProxiedRequest): boolean {
  return method === 'GET' && /\/(issues|pulls|reviews|comments|files)(\?|$)/.test(path);
}

/** A request without what differs from run to run. */
function shapeOf({ method, path }: ProxiedRequest): string {
  return `${method} ${path.replaceAll(/\b[0-9a-f]{40}\b/g, '*').replaceAll(/issue-(\d+)-\d+/g, 'issue-$1')}`;
}

function unit(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
}

function zeroCounts(): Record<FaultKind, number> {
  return {
    '500': 0,
    '502': 0,
    '429': 0,
    '403': 0,
    'dropped before applying': 0,
    'dropped after applying': 0,
    'stale list': 0,
    slow: 0,
  };
}
