import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Benchmark } from './harness/benchmark.ts';
import { finding, inTurns } from './harness/measure.ts';

const MIB = 1024 * 1024;
/** More than is kept of each stream. */
const CHARACTERS_EACH = 400_000;

const Size = z.object({ residentBytes: z.number(), heapBytes: z.number(), peakBytes: z.number() });

/** A process that holds only the engine: real journal, fake forge and agents. */
export const memory: Benchmark = {
  name: 'memory',
  asks: 'resident memory of an engine with many items and live streams, each with two slow readers',
  run: async ({ scale, built }) => {
    const script = path.join(await built(), 'bench', 'memory-process.js');
    const [items, streams, characters, rounds] =
      scale === 'full' ? [10_000, 100, CHARACTERS_EACH, 3] : [20, 2, 5_000, 1];
    const heaps: number[] = [];
    const ends: number[] = [];
    const values = await inTurns(rounds, {
      ours: async () => {
        const { peakBytes, heapBytes, residentBytes } = await measure(script, [items, streams, characters]);
        heaps.push(heapBytes / MIB);
        ends.push(residentBytes / MIB);
        return peakBytes / MIB;
      },
      bare: bareNode,
    });
    const size = `${items.toLocaleString('en')} items and ${streams} streams`;
    const wanted = { of: 'value', is: 'at most', limit: 300 } as const;
    const baseline = { name: 'bare Node', values: values.bare };
    return [
      finding({ what: `the most that was ever resident, ${size}`, unit: 'MiB', ours: values.ours, baseline, wanted }),
      finding({ what: 'resident at the end', unit: 'MiB', ours: ends }),
      finding({ what: 'used heap at the end', unit: 'MiB', ours: heaps }),
    ];
  },
};

async function measure(script: string, size: readonly number[]): Promise<z.infer<typeof Size>> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...size.map(String)]);
  return Size.parse(JSON.parse(stdout));
}

async function bareNode(): Promise<number> {
  const script = 'console.log(process.memoryUsage.rss())';
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', script]);
  return Number(stdout) / MIB;
}
