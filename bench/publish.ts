import { createPublishingWorld } from '../test/patch/publishing-world.ts';
import { createWorkshop } from '../test/patch/workshop.ts';
import type { Benchmark, Finding } from './harness/benchmark.ts';
import { finding } from './harness/measure.ts';

/** All that `createFromPatch` sends for a new pull request, signing in included. */
export const publish: Benchmark = {
  name: 'publish',
  asks: 'requests that turn a patch into a pull request, by the number of changed files',
  run: async ({ scale }) => {
    const world = await createPublishingWorld();
    const shop = createWorkshop(world);
    try {
      const findings: Finding[] = [];
      for (const files of scale === 'full' ? [1, 10, 500] : [1]) {
        const all = (text: string) =>
          Object.fromEntries(Array.from({ length: files }, (_, index) => [`src/${index}.ts`, `${index} ${text}\n`]));
        const { patch, exact } = await shop.work(all('old'), all('new'));
        const { revisionWriter } = world.forge.provider();
        world.forge.proxy.reset();
        await revisionWriter.createFromPatch(world.workItemID, patch, `files-${files}`, exact);
        const wanted = { of: 'value', is: 'at most', limit: 12 } as const;
        findings.push(finding({ what: `${files} files`, unit: 'requests', ours: [shop.requests().length], wanted }));
      }
      return findings;
    } finally {
      await world.close();
    }
  },
};
