import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { EmbeddedForgeOptions } from '../../src/forge/create-embedded-forge.ts';
import { changedJSON } from '../fault-proxy/fault.ts';
import type { ForgeWorld } from './provider-forge-world.ts';
import { people } from './provider-world.ts';

const CheckRuns = z.object({ total_count: z.number(), check_runs: z.array(z.looseObject({ name: z.string() })) });
const CombinedStatus = z.looseObject({ state: z.string(), total_count: z.number(), statuses: z.array(z.unknown()) });

/** How the provider reads closing keywords and CI. What this forge's own CI never reports is put in by the proxy. */
export function describeMapping(createWorld: (options?: Partial<EmbeddedForgeOptions>) => Promise<ForgeWorld>): void {
  describe('mapping', () => {
    let world: ForgeWorld;
    const human = () => people(world);

    beforeAll(async () => {
      world = await createWorld({ ci: { command: 'true' } });
    });
    afterEach(() => world.proxy.reset());
    afterAll(() => world.close());

    // A provider of its own for each read: none of them may remember what the proxy told another.
    const read = (id: string) => world.provider().revisionReader.getRevision(id);

    describe('closing keywords', () => {
      test('[GHP-15] [GHP-16] [GHP-17] [GHP-49] name the work item of a revision', async () => {
        const texts = [
          ['lowercase', 'This fixes #10', '10'],
          ['none', 'See #10, which this does not finish.', null],
          ['whole-number', 'Closes #1001', '1001'],
          ['first-of-two', 'Closes #10 and Fixes #20', '10'],
          ['first-by-position', 'Fixes #20, then Closes #10', '20'],
        ] as const;
        const expected = new Map<string, string | null>();
        for (const [branch, body, workItemID] of texts)
          expected.set(await human().openPull({ branch, body }), workItemID);

        const revisions = await world.provider().revisionReader.listRevisions();
        const ours = revisions.filter(({ id }) => expected.has(id));
        expect(new Map(ours.map(({ id, workItemID }) => [id, workItemID]))).toEqual(expected);
        for (const [id, workItemID] of expected) expect(await read(id)).toMatchObject({ workItemID });
      });

      test('[GHP-50] of two revisions for one work item the lower number is linked, however they are listed', async () => {
        const item = await human().openIssue();
        const first = await human().openPull({ branch: 'older', body: `Closes #${item}` });
        const second = await human().openPull({ branch: 'newer', body: `Fixes #${item}` });
        expect(Number(first)).toBeLessThan(Number(second));

        const linked = async () => {
          const { workItemReader } = world.provider();
          const items = await workItemReader.listWorkItems();
          return [await workItemReader.getWorkItem(item), items.find(({ id }) => id === item)];
        };
        expect(await linked()).toMatchObject([{ linkedRevision: first }, { linkedRevision: first }]);
        const backwards = changedJSON((pulls) => z.array(z.unknown()).parse(pulls).toReversed());
        world.proxy.inject('GET /pulls?', backwards);
        expect(await linked()).toMatchObject([{ linkedRevision: first }, { linkedRevision: first }]);
      });
    });

    describe('pipelines', () => {
      let id: string;
      let detailsURL: string;

      beforeAll(async () => {
        id = await human().openPull({ branch: 'checked' });
        const { revisionReader } = world.provider();
        const done = await vi.waitFor(async () => {
          const [run] = await revisionReader.getCheckRuns(id);
          expect(run?.conclusion).toBe('success');
          return run;
        }, 20_000);
        detailsURL = done?.detailsURL ?? '';
      });

      /** The forge's one good check run, followed by the same one with each of these changes. */
      const addCheckRuns = (...changes: object[]) => {
        const change = changedJSON((json) => {
          const { check_runs } = CheckRuns.parse(json);
          const all = check_runs.flatMap((run) => [run, ...changes.map((fields) => ({ ...run, ...fields }))]);
          return { total_count: all.length, check_runs: all };
        });
        world.proxy.inject('GET /check-runs', change);
      };

      const setCombinedStatus = (state: string) => {
        const status = { state, context: 'ci/other', target_url: 'https://ci.example/other' };
        const change = (json: unknown) => ({
          ...CombinedStatus.parse(json),
          state,
          total_count: 1,
          statuses: [status],
        });
        world.proxy.inject('GET /status', changedJSON(change));
      };

      const pipeline = async () => (await read(id))?.pipeline;

      test('[GHP-28] a success has neither url nor reason, whether or not there are commit statuses', async () => {
        expect(detailsURL).toContain('/runs/');
        expect(await pipeline()).toEqual({ status: 'success', url: null, reason: null, checkCount: 1 });
        setCombinedStatus('success');
        expect(await pipeline()).toEqual({ status: 'success', url: null, reason: null, checkCount: 2 });
      });

      test('[GHP-24] a cancelled check beside a good one is a failure', async () => {
        addCheckRuns({ name: 'e2e', conclusion: 'cancelled' });
        expect(await pipeline()).toEqual({ status: 'failure', url: detailsURL, reason: 'e2e', checkCount: 2 });
      });

      test('[GHP-25] a check in progress beside a good one, and a pending commit status, are pending', async () => {
        addCheckRuns({ name: 'e2e', status: 'in_progress', conclusion: null });
        expect(await pipeline()).toEqual({ status: 'pending', url: null, reason: null, checkCount: 2 });
        world.proxy.reset();
        setCombinedStatus('pending');
        expect(await pipeline()).toMatchObject({ status: 'pending', checkCount: 2 });
      });

      test('[GHP-27] a failure names the first failing check and its address', async () => {
        addCheckRuns(
          { name: 'lint', conclusion: 'failure', details_url: 'https://ci.example/lint' },
          { name: 'e2e', conclusion: 'failure', details_url: 'https://ci.example/e2e' },
        );
        setCombinedStatus('failure');
        expect(await pipeline()).toEqual({
          status: 'failure',
          url: 'https://ci.example/lint',
          reason: 'lint',
          checkCount: 4,
        });
      });

      test('[GHP-26] a forge without CI reports no checks and no statuses: pending', async () => {
        const quiet = await createWorld();
        try {
          const unchecked = await people(quiet).openPull({ branch: 'unchecked' });
          const revision = await quiet.provider().revisionReader.getRevision(unchecked);
          expect(revision?.pipeline).toEqual({ status: 'pending', url: null, reason: null, checkCount: 0 });
          for (const piece of ['/check-runs', '/status']) {
            expect(quiet.proxy.requests.filter(({ path }) => path.includes(piece))).toMatchObject([{ status: 200 }]);
          }
        } finally {
          await quiet.close();
        }
      });
    });
  });
}
