import { describe, expect, test } from 'vitest';
import { settle, until } from './until.ts';
import { revision, useEngine } from './use-engine.ts';

const bench = useEngine();

describe('merging', () => {
  const approved = { status: 'success', url: null, reason: null, checkCount: 1 } as const;

  test.each([
    ['not approved', { status: 'review' }, {}, 'its status is review, not approved'],
    ['not green', { status: 'approved' }, { pipeline: { ...approved, status: 'pending' } }, 'CI is not green'],
  ] as const)('what is %s is not merged, and the person hears why', async (_, item, details, reason) => {
    const t = await bench.start({}, ({ forge }) => {
      forge.addItem({ id: '1', ...item });
      forge.revisions.set('10', revision({ workItemID: '1', pipeline: approved, ...details }));
    });
    const before = t.forge.writes.length;
    t.engine.send({ command: 'mergeRevision', issueNumber: 1 });
    await settle();
    expect(t.forge.writes.slice(before).filter((call) => call.startsWith('mergeRevision'))).toEqual([]);
    expect(t.engine.getSnapshot().notices).toEqual([`merge of #1: refused, ${reason}.`]);
  });

  test('what is approved and green is merged, and its item is closed', async () => {
    const t = await bench.start({}, ({ forge }) => {
      forge.addItem({ id: '1', status: 'approved' });
      forge.revisions.set('10', revision({ workItemID: '1', pipeline: approved }));
    });
    t.engine.send({ command: 'mergeRevision', issueNumber: 1 });
    await until('the merge', () => t.forge.revisions.get('10')?.state === 'merged');
    await t.engine.refresh();
    await settle();
    expect(t.engine.getSnapshot()).toMatchObject({ workItems: [], revisions: [], notices: [] });
  });
});
