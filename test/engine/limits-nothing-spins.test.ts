import { describe, expect, test } from 'vitest';
import type { ProviderErrorKind } from '../../src/domain/provider-error.ts';
import { ProviderError } from '../../src/domain/provider-error.ts';
import { implementedAnd, oneItem } from './acts.ts';
import type { TestEngine } from './create-test-engine.ts';
import { implemented, reviewed } from './fake-runtime.ts';
import { settle } from './until.ts';
import { useEngine } from './use-engine.ts';

const bench = useEngine();
const AUTO = { agents: { dispatch: 'auto' } } as const;
const KINDS: ProviderErrorKind[] = ['rejected', 'not-found', 'conflict', 'forbidden', 'unavailable', 'rate-limited'];

/** Time stands still, so whatever happens more than a few times happens without a pause. */
const A_FEW = 4;
/** The forge gives in at last, so that a loop without a pause fails the test instead of hanging it. */
const ENOUGH = 100;

async function liveOn(t: TestEngine): Promise<void> {
  for (let turn = 0; turn < 12; turn++) {
    for (const run of t.runtime.live()) {
      if (run.params.role === 'reviewer') run.complete(reviewed(turn < 6 ? 'needs-changes' : 'approve'));
      else run.complete(implemented(`patch ${turn}`));
    }
    await settle();
  }
}

describe('a forge that refuses the same write for ever is not asked without end', () => {
  test.each([
    'transitionStatus 1 ready',
    'transitionStatus 1 in-progress',
    'transitionStatus 1 review',
    'transitionStatus 1 needs-changes',
    'transitionStatus 1 blocked',
    'transitionStatus',
    'createFromPatch',
    'postReview',
  ])('%s', async (call) => {
    for (const kind of KINDS) {
      let refused = 0;
      const t = await bench.start({ config: AUTO }, ({ forge, clock }) => {
        forge.addItem({ id: '1', status: 'pending' });
        forge.onWrite = (write, phase) => {
          if (phase !== 'before' || !write.startsWith(call) || refused === ENOUGH) return;
          refused++;
          throw new ProviderError(kind, 'no', { until: clock.now() + 60_000 });
        };
      });
      await liveOn(t);
      expect([kind, refused > 0, refused <= A_FEW, t.runtime.started.length <= 6]).toEqual([kind, true, true, true]);
    }
  });
});

test('an item that cannot be made ready waits for a human, who is told', async () => {
  const t = await bench.start({ config: AUTO }, ({ forge }) => {
    forge.addItem({ id: '1', status: 'pending' });
    forge.onWrite = (write) => {
      if (write === 'transitionStatus 1 ready') throw new ProviderError('rejected', 'no such label');
    };
  });
  expect(t.forge.comments.map(({ body }) => body)).toEqual([
    expect.stringContaining('could not be set to `ready`: no such label'),
  ]);
  t.forge.onWrite = () => {};
  t.forge.addItem({ id: '1', status: 'unblocked' });
  await t.engine.refresh();
  await settle();
  expect(t.runtime.live()).toHaveLength(1);
});

test('a conflict that cannot be sent back is not sent back again and again', async () => {
  const t = await oneItem(bench);
  await implementedAnd(t, 'approve');
  let refused = 0;
  t.forge.onWrite = (write) => {
    if (write !== 'transitionStatus 1 needs-changes' || refused === ENOUGH) return;
    refused++;
    throw new ProviderError('rejected', 'no');
  };
  for (const [id, revision] of t.forge.revisions) t.forge.revisions.set(id, { ...revision, isMergeable: false });
  await t.engine.refresh();
  await settle();
  await t.engine.refresh();
  await settle();
  expect(refused).toBe(1);
});
