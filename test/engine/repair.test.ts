import { describe, expect, test } from 'vitest';
import type { Revision } from '../../src/domain/revision.ts';
import { PatchError } from '../../src/domain/provider-error.ts';
import type { TestEngine, TestEngineOptions } from './create-test-engine.ts';
import { implemented, reviewed } from './fake-runtime.ts';
import { settle, until } from './until.ts';
import { useEngine } from './use-engine.ts';

const bench = useEngine();

/** An engine with one ready item; dispatch is automatic unless the test says otherwise. */
function started(config: TestEngineOptions['config']): Promise<TestEngine> {
  return bench.start({ config: { agents: { dispatch: 'auto' }, ...config } }, ({ forge }) => {
    forge.addItem({ id: '1', status: 'ready' });
  });
}

/** The implementor is done: its revision is published. */
async function published(t: TestEngine, patch = 'a patch'): Promise<void> {
  t.runtime.live()[0]?.complete(implemented(patch));
  await settle();
}

async function reviewedAs(t: TestEngine, verdict: 'approve' | 'needs-changes'): Promise<void> {
  t.runtime.live()[0]?.complete(reviewed(verdict));
  await settle();
}

/** What a poll finds about the one revision. */
async function seen(t: TestEngine, details: Partial<Revision>): Promise<void> {
  const [revision] = t.forge.revisions.values();
  if (revision === undefined) throw new Error('there is no revision yet');
  t.forge.revisions.set(revision.id, { ...revision, ...details });
  await t.engine.refresh();
  await settle();
}

function pipeline(status: 'pending' | 'success' | 'failure', checkCount = 1): Partial<Revision> {
  const isRed = status === 'failure';
  return { pipeline: { status, url: isRed ? 'http://ci' : null, reason: isRed ? 'tests' : null, checkCount } };
}

function roles(t: TestEngine): string[] {
  return t.runtime.started.map(({ params }) => params.role);
}

function statusOf(t: TestEngine): string | undefined {
  return t.forge.items.get('1')?.status;
}

describe("review.trigger: 'ci-success'", () => {
  const config = { review: { trigger: 'ci-success' } } as const;

  test('the reviewer waits for green CI on the published head', async () => {
    const t = await started(config);
    await published(t);
    expect(statusOf(t)).toBe('review');
    await seen(t, pipeline('pending'));
    await seen(t, pipeline('failure'));
    expect(roles(t)).toEqual(['implementor']);
    await seen(t, pipeline('success'));
    expect(roles(t)).toEqual(['implementor', 'reviewer']);
    await seen(t, pipeline('success', 2));
    expect(roles(t)).toEqual(['implementor', 'reviewer']);
  });

  test('no check within two minutes of the push counts as no CI', async () => {
    const t = await started(config);
    await published(t);
    t.clock.advance(119_000);
    await settle();
    expect(roles(t)).toEqual(['implementor']);
    t.clock.advance(1_000);
    await until('the reviewer', () => t.runtime.started.length === 2);
  });

  test('a check that shows up in time is waited for, however long it takes', async () => {
    const t = await started(config);
    await published(t);
    await seen(t, pipeline('pending'));
    t.clock.advance(600_000);
    await settle();
    expect(roles(t)).toEqual(['implementor']);
  });

  test('after a push by somebody else, the new head is waited for', async () => {
    const t = await started(config);
    await published(t);
    await seen(t, { ...pipeline('success'), headSHA: 'pushed by a human', pipeline: null });
    expect(roles(t)).toEqual(['implementor']);
    await seen(t, pipeline('success'));
    expect(roles(t)).toEqual(['implementor', 'reviewer']);
  });
});

describe('red CI', () => {
  test('without autoFix it is shown and changes nothing', async () => {
    const t = await started({});
    await published(t);
    await reviewedAs(t, 'approve');
    await seen(t, pipeline('failure'));
    expect(statusOf(t)).toBe('approved');
    expect(t.events.at(-1)).toMatchObject({ type: 'ciStatusChanged', issueNumber: 1, newCIStatus: 'failure' });
  });

  test('with autoFix one head goes back once, however often its checks run again, and rounds are limited', async () => {
    const t = await started({ ci: { autoFix: true, maxRounds: 1 } });
    await published(t, 'first');
    await seen(t, pipeline('failure'));
    expect(roles(t)).toEqual(['implementor', 'reviewer']); // the reviewer is not disturbed
    await reviewedAs(t, 'approve');
    expect(roles(t)).toEqual(['implementor', 'reviewer', 'implementor']);
    await seen(t, pipeline('failure', 2));
    expect(t.runtime.live()).toHaveLength(1);

    await published(t, 'second');
    await reviewedAs(t, 'approve');
    await seen(t, { ...pipeline('failure'), headSHA: 'sha of second' });
    expect(statusOf(t)).toBe('blocked');
    expect(t.forge.comments[0]?.body).toContain('fails its checks after 1 rounds');
  });
});

describe('conflicts', () => {
  test('a patch that conflicts goes back with the paths; the next run is told', async () => {
    const t = await started({});
    let conflicts = 1;
    t.forge.onWrite = (call) => {
      if (call.startsWith('createFromPatch') && conflicts-- > 0) {
        throw new PatchError('conflict', 'it collides', { paths: ['src/a.ts', 'src/b.ts'] });
      }
    };
    await published(t);
    expect(t.runtime.live()[0]?.params).toMatchObject({
      role: 'implementor',
      repair: { conflictPaths: ['src/a.ts', 'src/b.ts'] },
    });
    await published(t, 'again');
    expect(statusOf(t)).toBe('review');
  });

  test('an approved revision that became unmergeable goes back, and only once for one head', async () => {
    const t = await started({});
    await published(t);
    await reviewedAs(t, 'approve');
    await seen(t, { isMergeable: false });
    expect(statusOf(t)).toBe('in-progress');
    expect(t.runtime.live()[0]?.params).toMatchObject({
      role: 'implementor',
      start: { from: 'revision' },
      repair: { conflictPaths: [] },
    });
  });

  test('a patch that may not be published needs a human, who is told why', async () => {
    const t = await started({});
    t.forge.onWrite = (call) => {
      if (call.startsWith('createFromPatch')) throw new PatchError('refused', 'it changes a submodule');
    };
    await published(t);
    expect(statusOf(t)).toBe('blocked');
    expect(t.forge.comments[0]?.body).toContain('it changes a submodule');
  });
});

describe('drafts', () => {
  test('[ENG-06] a draft gets no automatic reviewer and no status change, until somebody makes it ready', async () => {
    const t = await started({});
    const { createFromPatch } = t.forge.provider.revisionWriter;
    t.forge.provider.revisionWriter.createFromPatch = async (...args) => {
      const revision = { ...(await createFromPatch(...args)), isDraft: true };
      t.forge.revisions.set(revision.id, revision);
      return revision;
    };
    await published(t);
    await seen(t, {});
    expect(statusOf(t)).toBe('in-progress');
    expect(roles(t)).toEqual(['implementor']);
    await seen(t, { isDraft: false });
    expect(statusOf(t)).toBe('review');
    expect(roles(t)).toEqual(['implementor', 'reviewer']);
  });
});

describe('money', () => {
  const usage = { model: 'm', turns: 1, inputTokens: 1, outputTokens: 1, durationMs: 1 };

  test('what is reserved and spent stops dispatch for the day, and the next day goes on', async () => {
    const config = { agents: { dispatch: 'auto' }, budget: { perRunUSD: 5, perDayUSD: 10 } } as const;
    const t = await bench.start({ config }, ({ forge }) => {
      for (const id of ['1', '2', '3']) forge.addItem({ id, status: 'ready' });
    });
    expect(t.runtime.live()).toHaveLength(2);
    expect(t.runtime.live()[0]?.params.budgetUSD).toBe(5);
    expect(t.engine.getSnapshot().spend).toMatchObject({ settledUSD: 0, reservedUSD: 10, perDayUSD: 10 });
    expect(t.engine.getSnapshot().notices.join()).toContain("the day's budget");
    t.runtime.live()[0]?.complete(implemented(), { ...usage, costUSD: 4 });
    t.runtime.live()[0]?.complete(implemented(), { ...usage, costUSD: null });
    await settle();
    // 4 are spent, and 5 for the run whose cost is unknown: no other run fits.
    expect(t.engine.getSnapshot().spend.settledUSD).toBe(9);
    expect(t.runtime.live()).toEqual([]);
    t.clock.advance(24 * 3_600_000);
    await until('the next day', () => t.runtime.live().length === 2);
  });
});
