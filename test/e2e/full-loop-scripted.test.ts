import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Script } from '../../src/engine/runtime-adapter/scripted/create-scripted-adapter.ts';
import type { Step } from '../../src/engine/runtime-adapter/scripted/scenario.ts';
import { PLAN, createFullLoopWorld, createRounds, filesOf, reviewOf } from './full-loop-world.ts';
import type { FullLoopWorld } from './full-loop-world.ts';
import { fullLoopAssertions } from './full-loop.contract.test.ts';
import { scriptedRuntime } from '../world/scripted-runtime.ts';

let world: FullLoopWorld | null = null;
const roundOf = createRounds();

const script: Script = async (params, { folder, workItem }) => {
  if (params.role === 'planner') return [{ do: 'return', output: PLAN }];
  const title = workItem?.title ?? '';
  const round = roundOf(params);
  if (params.role === 'reviewer')
    return [{ do: 'return', output: { role: 'reviewer', review: reviewOf(title, round) } }];
  if (round === 2 && (title === 'alpha' || title === 'beta')) {
    const text = await readFile(path.join(folder, 'shared.txt'), 'utf8');
    if (!text.includes('<<<<<<<')) return [{ do: 'fail', message: `no conflict to resolve in: ${text}` }];
  }
  const edits = Object.entries(filesOf(title, round)).map(([file, content]): Step =>
    content === null ? { do: 'delete', path: file } : { do: 'write', path: file, content },
  );
  return [...edits, { do: 'return', output: { role: 'implementor', outcome: 'completed', summary: title } }];
};

beforeAll(async () => {
  world = await createFullLoopWorld((deps, repoRoot) => scriptedRuntime(repoRoot, script)(deps));
  await world.engine.start();
  await world.playHuman(100_000);
}, 120_000);
afterAll(() => world?.close());

fullLoopAssertions('scripted agents', () => {
  if (world === null) throw new Error('the world was not made');
  return world;
});
