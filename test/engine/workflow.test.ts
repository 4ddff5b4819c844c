import { describe, expect, test } from 'vitest';
import type { AgentResult } from '../../src/domain/agent-result.ts';
import type { TestEngine } from './create-test-engine.ts';
import { implemented, reviewed } from './fake-runtime.ts';
import { settle, until } from './until.ts';
import { revision, useEngine } from './use-engine.ts';

const bench = useEngine();

const AUTO = { agents: { dispatch: 'auto' } } as const;

function statuses({ events }: TestEngine, issueNumber: number): (string | null)[] {
  return events.flatMap((e) => (e.type === 'issueStatusChanged' && e.issueNumber === issueNumber ? [e.newStatus] : []));
}

function plan(...items: { tempID: string; blockedBy?: string[] }[]): AgentResult {
  const create = items.map(({ tempID, blockedBy = [] }) => ({
    tempID,
    title: tempID,
    body: 'b',
    labels: [],
    blockedBy,
  }));
  return { role: 'planner', create, close: [], update: [] };
}

describe('from a spec to work items', () => {
  test('an approved spec is planned once, its items are born in dependency order and the free ones become ready', async () => {
    const t = await bench.start({}, ({ forge }) => forge.approveSpec('docs/specs/a.md', 'blob1'));
    expect(t.runtime.started.map(({ params }) => params.role)).toEqual(['planner']);
    t.runtime.started[0]?.complete(plan({ tempID: 'second', blockedBy: ['first'] }, { tempID: 'first' }));
    await settle();

    expect(t.forge.writes).toEqual(['createWorkItem first', 'createWorkItem second', 'transitionStatus 1 ready']);
    expect(t.forge.items.get('2')?.blockedBy).toEqual(['1']);
    await t.engine.refresh();
    expect(t.runtime.started).toHaveLength(1);
  });

  test('[ENG-03] a draft is not planned', async () => {
    const draft = { filePath: 'docs/specs/a.md', blobSHA: 'blob1', frontmatterStatus: 'draft' };
    const t = await bench.start({}, ({ forge }) => forge.specs.set(draft.filePath, draft));
    expect(t.events).toContainEqual(expect.objectContaining({ type: 'specChanged', frontmatterStatus: 'draft' }));
    expect(t.runtime.started).toEqual([]);
  });

  test('five specs approved at once start one planner for all of them', async () => {
    const t = await bench.start({}, ({ forge }) => {
      for (const name of ['a', 'b', 'c', 'd', 'e']) forge.approveSpec(`docs/specs/${name}.md`, name);
    });
    expect(t.runtime.started).toHaveLength(1);
    expect(t.runtime.started[0]?.params).toMatchObject({
      specPaths: ['a', 'b', 'c', 'd', 'e'].map((n) => `docs/specs/${n}.md`),
    });
  });

  test('a spec that is edited while the planner runs is planned again, at its new text', async () => {
    const t = await bench.start({}, ({ forge }) => forge.approveSpec('docs/specs/a.md', 'blob1'));
    t.forge.approveSpec('docs/specs/a.md', 'blob2');
    await t.engine.refresh();
    expect(t.runtime.started).toHaveLength(1);
    t.runtime.started[0]?.complete(plan());
    await until('the second planner', () => t.runtime.started.length === 2);
    expect(t.runtime.started[1]?.params).toMatchObject({ blobSHAs: { 'docs/specs/a.md': 'blob2' } });
  });

  test.each([
    ['a circle', plan({ tempID: 'a', blockedBy: ['b'] }, { tempID: 'b', blockedBy: ['a'] }), 'in a circle'],
    ['an unknown blocker', plan({ tempID: 'a', blockedBy: ['99'] }), "'99', which is neither planned nor known"],
    ['the same tempID twice', plan({ tempID: 'a' }, { tempID: 'a' }), 'the same tempID'],
  ])('a plan with %s is refused before anything is written', async (_, result, message) => {
    const t = await bench.start({}, ({ forge }) => forge.approveSpec('docs/specs/a.md', 'blob1'));
    t.runtime.started[0]?.complete(result);
    await settle();
    expect(t.forge.writes).toEqual([]);
    expect(t.events.at(-1)).toMatchObject({ type: 'agentFailed', agentType: 'planner' });
    expect(JSON.stringify(t.events.at(-1))).toContain(message);
  });

  test('when the second of three items is refused by the forge, nothing counts as planned and the planner is asked again', async () => {
    const t = await bench.start({}, ({ forge }) => forge.approveSpec('docs/specs/a.md', 'blob1'));
    t.forge.onWrite = (call) => {
      if (call === 'createWorkItem two') throw new Error('the forge will not have it');
    };
    t.runtime.started[0]?.complete(plan({ tempID: 'one' }, { tempID: 'two' }, { tempID: 'three' }));
    await settle();
    expect(t.forge.writes).not.toContain('createWorkItem three');
    t.clock.advance(30_000);
    await until('the second planner', () => t.runtime.started.length === 2);
    expect(t.runtime.started[1]?.params).toMatchObject({ role: 'planner', attempt: 2, specPaths: ['docs/specs/a.md'] });
  });

  test('nothing of a plan is dispatched before all of it is applied', async () => {
    const t = await bench.start({ config: AUTO }, ({ forge }) => forge.approveSpec('docs/specs/a.md', 'blob1'));
    const seen: number[] = [];
    t.forge.onWrite = (call) => {
      if (call.startsWith('createWorkItem')) seen.push(t.runtime.started.length);
    };
    t.runtime.started[0]?.complete(plan({ tempID: 'one' }, { tempID: 'two' }, { tempID: 'three' }));
    await until('three implementors', () => t.runtime.live().length === 3);
    expect(seen.every((count) => count === 1)).toBe(true);
  });
});

describe('from a work item to a merged revision', () => {
  test('the whole way: implemented, published, reviewed, approved, merged, and its dependent starts', async () => {
    const t = await bench.start({ config: AUTO }, ({ forge }) => {
      forge.addItem({ id: '1', status: 'ready' });
      forge.addItem({ id: '2', blockedBy: ['1'] });
    });
    expect(t.runtime.live().map(({ params }) => params)).toMatchObject([{ role: 'implementor', workItemID: '1' }]);
    t.runtime.live()[0]?.complete(implemented());
    await settle();
    expect(t.runtime.live().map(({ params }) => params)).toMatchObject([{ role: 'reviewer', workItemID: '1' }]);
    t.runtime.live()[0]?.complete(reviewed('approve'));
    await settle();
    expect(statuses(t, 1)).toEqual(['ready', 'in-progress', 'review', 'approved']);
    expect(t.runtime.live()).toEqual([]);

    t.forge.merge('1');
    await t.engine.refresh();
    await settle();
    expect(statuses(t, 1).at(-1)).toBeNull();
    expect(statuses(t, 2)).toEqual(['pending', 'ready', 'in-progress']);
    expect(t.runtime.live().map(({ params }) => params)).toMatchObject([{ role: 'implementor', workItemID: '2' }]);
  });

  test('a blocker that is approved, or closed as not planned, frees nobody', async () => {
    const t = await bench.start({}, ({ forge }) => {
      forge.addItem({ id: '1', status: 'approved' });
      forge.addItem({ id: '2', closedAs: 'not-planned', isTracked: false });
      forge.addItem({ id: '3', blockedBy: ['1'] });
      forge.addItem({ id: '4', blockedBy: ['2'] });
      forge.addItem({ id: '5', closedAs: 'completed', isTracked: false });
      forge.addItem({ id: '6', blockedBy: ['5'] });
    });
    expect(t.forge.writes).toEqual(['transitionStatus 6 ready']);
  });

  test('a review that asks for changes sends the item back to its branch, within the rounds', async () => {
    const t = await bench.start({ config: { ...AUTO, review: { maxRounds: 1 } } }, ({ forge }) => {
      forge.addItem({ id: '1', status: 'ready' });
    });
    for (let round = 0; round < 2; round++) {
      t.runtime.live()[0]?.complete(implemented(`patch ${round}`));
      await settle();
      t.runtime.live()[0]?.complete(reviewed('needs-changes'));
      await settle();
    }
    expect(statuses(t, 1)).toEqual([
      'ready',
      'in-progress',
      'review',
      'needs-changes',
      'in-progress',
      'review',
      'blocked',
    ]);
    const second = t.runtime.started[2]?.params;
    const headRef = t.forge.revisions.get('2')?.headRef;
    expect(second).toMatchObject({ role: 'implementor', branchName: headRef, start: { from: 'revision', headRef } });
    expect(t.forge.reviews).toHaveLength(2);
    expect(t.forge.comments[0]?.body).toContain('status:unblocked');
  });

  test('[ENG-05] our own transition to review is announced once, with its flag, and not again by the next poll', async () => {
    const t = await bench.start({ config: AUTO }, ({ forge }) => forge.addItem({ id: '1', status: 'ready' }));
    t.runtime.live()[0]?.complete(implemented());
    await settle();
    await t.engine.refresh();
    const changes = t.events.filter((e) => e.type === 'issueStatusChanged' && e.newStatus === 'review');
    expect(changes).toMatchObject([{ isEngineTransition: true }]);
  });

  test('[ENG-08] a review label set by hand starts no reviewer', async () => {
    const t = await bench.start({ config: AUTO }, ({ forge }) => forge.addItem({ id: '1', status: 'review' }));
    expect(t.runtime.started).toEqual([]);
  });

  test('an agent that is blocked leaves its words on the item', async () => {
    const t = await bench.start({ config: AUTO }, ({ forge }) => forge.addItem({ id: '1', status: 'ready' }));
    const result = {
      role: 'implementor',
      outcome: 'blocked',
      summary: 'Which database?',
      patch: null,
      baseSHA: null,
      treeSHA: null,
    } as const;
    t.runtime.live()[0]?.complete(result);
    await settle();
    expect(statuses(t, 1).at(-1)).toBe('blocked');
    expect(t.forge.comments).toEqual([{ workItemID: '1', body: expect.stringContaining('Which database?') }]);
  });
});

describe('limits', () => {
  test('fifty ready items start as many runs as there are slots, by priority and then by age', async () => {
    const t = await bench.start({ config: { agents: { dispatch: 'auto', maxConcurrent: 2 } } }, ({ forge }) => {
      for (let id = 1; id <= 50; id++)
        forge.addItem({ id: String(id), status: 'ready', priority: id === 40 ? 'high' : null });
    });
    expect(t.runtime.started.map(({ params }) => 'workItemID' in params && params.workItemID)).toEqual(['1', '2']);
    t.runtime.live()[0]?.fail('no');
    await settle();
    expect(t.runtime.started.at(-1)?.params).toMatchObject({ workItemID: '40' });
    expect(t.runtime.live()).toHaveLength(2);
  });

  test('an agent that always fails is tried three times with growing pauses, then a human is asked', async () => {
    const t = await bench.start({ config: AUTO }, ({ forge }) => forge.addItem({ id: '1', status: 'ready' }));
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      const before = t.clock.now();
      await until(`attempt ${attempt}`, () => {
        if (t.runtime.started.length < attempt) t.clock.advance(1_000);
        return t.runtime.started.length === attempt;
      });
      pauses.push(Math.round((t.clock.now() - before) / 1000));
      t.runtime.live()[0]?.fail(`it broke, ${attempt}`);
      await settle();
    }
    t.clock.advance(3_600_000);
    await settle();
    expect(t.runtime.started).toHaveLength(3);
    expect(pauses[1]).toBeGreaterThanOrEqual(30);
    expect(pauses[2]).toBeGreaterThanOrEqual(60);
    expect(statuses(t, 1).at(-1)).toBe('blocked');
    expect(t.forge.comments[0]?.body).toMatch(/failed 3 times.*it broke, 3.*refs\/decree\/runs\/x/s);
  });

  test('a run that cannot be started gives its slot back, restores the old status and is tried again', async () => {
    const t = await bench.start(
      { config: { agents: { dispatch: 'auto', maxConcurrent: 1 } } },
      ({ forge, runtime }) => {
        forge.addItem({ id: '1', status: 'unblocked' });
        runtime.onStart = () => {
          throw new Error('no disk left');
        };
      },
    );
    expect(statuses(t, 1)).toEqual(['unblocked', 'in-progress', 'unblocked']);
    expect(t.events.at(-2)).toMatchObject({ type: 'agentFailed', error: 'no disk left' });
    t.runtime.onStart = () => {};
    t.clock.advance(30_000);
    await until('the second try', () => t.runtime.live().length === 1);
  });

  test('a policy can refuse, and one that throws refuses too; the loop lives on', async () => {
    const t = await bench.start(
      {
        config: AUTO,
        policy: (command) => {
          if (command.type !== 'startRun' || command.subject.role !== 'implementor') return null;
          if (command.subject.workItemID === '1') throw new Error('oops');
          return command.subject.workItemID === '2' ? 'not on Fridays' : null;
        },
      },
      ({ forge }) => {
        for (const id of ['1', '2', '3']) forge.addItem({ id, status: 'ready' });
      },
    );
    expect(t.runtime.live().map(({ params }) => 'workItemID' in params && params.workItemID)).toEqual(['3']);
    const refusals = t.log.filter(({ message }) => message === 'command refused').map(({ fields }) => fields);
    expect(refusals).toMatchObject([{ reason: 'the policy threw: oops' }, { reason: 'not on Fridays' }]);
  });
});

describe('what people ask for', () => {
  test('[AGM-01] a second dispatch of the same item is logged and starts nothing', async () => {
    const t = await bench.start({}, ({ forge }) => forge.addItem({ id: '1', status: 'ready' }));
    t.engine.send({ command: 'dispatchImplementor', issueNumber: 1 });
    await settle();
    t.engine.send({ command: 'dispatchImplementor', issueNumber: 1 });
    await settle();
    expect(t.runtime.started).toHaveLength(1);
    expect(t.log).toContainEqual(
      expect.objectContaining({
        level: 'info',
        fields: expect.objectContaining({ reason: expect.stringContaining('already running') }),
      }),
    );
  });

  test('[AGM-03] [AGM-04] [ENG-09] [ENG-10] [ENG-11] [ENG-29] [ENG-30] requests that make no sense change nothing', async () => {
    const t = await bench.start({}, ({ forge }) => {
      forge.addItem({ id: '1', status: 'approved' });
      forge.revisions.set('11', revision({ id: '11', workItemID: '1', pipeline: null }));
      forge.addItem({ id: '2', status: 'review' });
    });
    t.engine.send({ command: 'dispatchImplementor', issueNumber: 99 });
    t.engine.send({ command: 'dispatchImplementor', issueNumber: 1 });
    t.engine.send({ command: 'dispatchReviewer', issueNumber: 99 });
    t.engine.send({ command: 'dispatchReviewer', issueNumber: 1 });
    t.engine.send({ command: 'dispatchReviewer', issueNumber: 2 });
    t.engine.send({ command: 'cancelAgent', issueNumber: 1 });
    t.engine.send({ command: 'cancelPlanner' });
    t.engine.send({ command: 'mergeRevision', issueNumber: 1 });
    await settle();
    expect(t.runtime.started).toEqual([]);
    expect(t.forge.writes).toEqual([]);
  });

  test('[ENG-04] without a complexity label no model is asked for; a label asks for its model', async () => {
    const t = await bench.start({}, ({ forge }) => {
      forge.addItem({ id: '1', status: 'ready' });
      forge.addItem({ id: '2', status: 'ready', complexity: 'complex' });
      forge.addItem({ id: '3', status: 'ready', complexity: 'trivial' });
    });
    for (const issueNumber of [1, 2, 3]) t.engine.send({ command: 'dispatchImplementor', issueNumber });
    await settle();
    expect(t.runtime.started.map(({ params }) => params.modelOverride)).toEqual([undefined, 'opus', 'sonnet']);
  });

  test('cancelled work waits for a human', async () => {
    const t = await bench.start({ config: AUTO }, ({ forge }) => forge.addItem({ id: '1', status: 'ready' }));
    t.engine.send({ command: 'cancelAgent', issueNumber: 1 });
    await settle();
    t.clock.advance(3_600_000);
    await t.engine.refresh();
    await settle();
    expect(statuses(t, 1)).toEqual(['ready', 'in-progress', 'pending']);
    expect(t.runtime.started).toHaveLength(1);
    t.engine.send({ command: 'dispatchImplementor', issueNumber: 1 });
    await settle();
    expect(t.runtime.started).toHaveLength(2);
  });

  test('a run that waits for a slot can be cancelled', async () => {
    const t = await bench.start({ config: { agents: { maxConcurrent: 1 } } }, ({ forge }) => {
      for (const id of ['1', '2']) forge.addItem({ id, status: 'ready' });
    });
    for (const issueNumber of [1, 2]) t.engine.send({ command: 'dispatchImplementor', issueNumber });
    await settle();
    t.engine.send({ command: 'cancelAgent', issueNumber: 2 });
    await settle();
    expect(t.engine.getSnapshot().runs).toHaveLength(1);
    t.runtime.live()[0]?.complete(implemented());
    await settle();
    expect(t.runtime.started.map(({ params }) => params.role)).toEqual(['implementor', 'reviewer']);
  });

  test('[ENG-32] when an item disappears, its agent is stopped and told of before the removal', async () => {
    const t = await bench.start({ config: AUTO }, ({ forge }) => forge.addItem({ id: '1', status: 'ready' }));
    t.forge.close('1', 'not-planned');
    await t.engine.refresh();
    await settle();
    expect(t.events.slice(-2)).toMatchObject([
      { type: 'agentFailed', issueNumber: 1 },
      { type: 'issueStatusChanged', issueNumber: 1, newStatus: null },
    ]);
    expect(t.runtime.live()).toEqual([]);
  });
});
