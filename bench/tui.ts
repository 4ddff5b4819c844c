import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pty from '@lydell/node-pty';
import type { Benchmark } from './harness/benchmark.ts';
import { finding, inTurns } from './harness/measure.ts';

/** The compiled terminal UI, as a process of its own on a real terminal of 160 by 50. */
export const tui: Benchmark = {
  name: 'tui',
  asks: 'the terminal UI at 1,000 events a second with ten live streams, over one on which nothing happens',
  run: async ({ scale, built }) => {
    const [ms, rounds] = scale === 'full' ? [5_000, 5] : [200, 1];
    const sizes = scale === 'full' ? [1_000, 10_000] : [50];
    const script = path.join(await built(), 'bench', 'tui-process.js');
    const findings = [];
    for (const items of sizes) {
      const values = await inTurns(rounds, {
        busy: () => measure(script, items, 1_000, ms),
        idle: () => measure(script, items, 0, ms),
      });
      findings.push(
        finding({
          what: `${items.toLocaleString('en')} items`,
          unit: '% of a core',
          ours: values.busy,
          baseline: { name: 'idle', values: values.idle },
          wanted: { of: 'value', is: 'at most', limit: 25 },
        }),
      );
    }
    return findings;
  },
};

async function measure(script: string, items: number, eventsPerSecond: number, ms: number): Promise<number> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'decree-bench-'));
  const file = path.join(folder, 'percent');
  try {
    const args = [script, ...[items, eventsPerSecond, ms].map(String), file];
    const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', NODE_ENV: 'production' };
    const child = pty.spawn(process.execPath, args, { cols: 160, rows: 50, cwd: folder, env });
    let screen = '';
    child.onData((data) => {
      screen = (screen + data).slice(-20_000);
    });
    const code = await new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)));
    if (code !== 0) throw new Error(`The terminal UI ended with ${code}:\n${screen}`);
    return Number(await readFile(file, 'utf8'));
  } finally {
    await rm(folder, { recursive: true });
  }
}
