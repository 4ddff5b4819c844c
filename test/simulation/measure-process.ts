import { readdirSync } from 'node:fs';
import v8 from 'node:v8';
import vm from 'node:vm';

export interface ProcessSize {
  /** What is reachable, after a full garbage collection. */
  readonly heapMiB: number;
  readonly residentMiB: number;
  /** Open file descriptors; 0 where the system does not list them. */
  readonly descriptors: number;
}

v8.setFlagsFromString('--expose-gc');
const collectGarbage: unknown = vm.runInNewContext('gc');

export function measureProcess(): ProcessSize {
  if (typeof collectGarbage === 'function') collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapMiB: (heapUsed + external) / 2 ** 20, residentMiB: rss / 2 ** 20, descriptors: countDescriptors() };
}

function countDescriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}
