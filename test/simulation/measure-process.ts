import { existsSync, readdirSync } from 'node:fs';
import v8 from 'node:v8';
import vm from 'node:vm';

export interface ProcessSize {
  /** What is reachable, after a full garbage collection. */
  readonly heapMiB: number;
  readonly residentMiB: number;
  /** Open file descriptors; 0 where the system does not list them. */
  readonly descriptors: number;
}

export function measureProcess(): ProcessSize {
  v8.setFlagsFromString('--expose-gc');
  const collectGarbage: unknown = vm.runInNewContext('gc');
  if (typeof collectGarbage === 'function') collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapMiB: (heapUsed + external) / 2 ** 20, residentMiB: rss / 2 ** 20, descriptors: countDescriptors() };
}

export function describeSize({ heapMiB, residentMiB, descriptors }: ProcessSize): string {
  return `heap ${heapMiB.toFixed(1)} MiB, resident ${Math.round(residentMiB)} MiB, ${descriptors} descriptors`;
}

export interface SizeVerdict {
  readonly isFlat: boolean;
  readonly summary: string;
}

/** Work under way makes sizes go up and down; caches fill up in the beginning. */
const HEAP_LEEWAY_MIB = 10;
const RESIDENT_LEEWAY_MIB = 40;
const DESCRIPTORS_LEEWAY = 20;

/** Whether the last third of a series (three at least) is no larger than its second third, but for work under way. */
export function judgeSizes(sizes: readonly ProcessSize[]): SizeVerdict {
  const third = Math.floor(sizes.length / 3);
  const median = (part: readonly ProcessSize[], of: (size: ProcessSize) => number) =>
    part.map(of).toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0;
  const growth = (of: (size: ProcessSize) => number) =>
    median(sizes.slice(-third), of) - median(sizes.slice(third, 2 * third), of);
  const heap = growth(({ heapMiB }) => heapMiB);
  const resident = growth(({ residentMiB }) => residentMiB);
  const descriptors = growth((size) => size.descriptors);
  const first = sizes[0];
  const last = sizes.at(-1);
  return {
    isFlat: heap <= HEAP_LEEWAY_MIB && resident <= RESIDENT_LEEWAY_MIB && descriptors <= DESCRIPTORS_LEEWAY,
    summary:
      first === undefined || last === undefined
        ? 'not measured'
        : `first ${describeSize(first)}; last ${describeSize(last)}; from the second to the last third ` +
          `${signed(heap)} MiB of heap, ${signed(resident)} MiB resident, ${signed(descriptors)} descriptors`,
  };
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${Number.isInteger(value) ? value : value.toFixed(1)}`;
}

function countDescriptors(): number {
  return existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0;
}
