import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { EmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import { createEmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import { ForgeAccessSchema } from '../world/forge-access.ts';

/** An embedded forge in a process of its own, so that the memory of the engine's process is the engine's. */
export async function startForgeProcess(dir: string): Promise<EmbeddedForge> {
  const child = fork(import.meta.filename, [dir], { execArgv: [] });
  const [access] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the forge did not start'))),
  ]);
  return {
    ...ForgeAccessSchema.parse(access),
    close: async () => {
      const over = once(child, 'exit');
      child.disconnect();
      await over;
    },
  };
}

if (process.argv[1] === import.meta.filename) {
  const [, , dir = ''] = process.argv;
  const { close, ...access } = await createEmbeddedForge({ dir, rateLimit: 10_000_000 });
  process.on('disconnect', () => void close());
  process.send?.(access);
}
