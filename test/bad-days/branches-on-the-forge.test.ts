import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { people } from '../contracts/provider-world.ts';
import { createPublishingWorld, type PublishingWorld } from '../patch/publishing-world.ts';
import { createWorkshop, failureOf, snapshot, type Workshop } from '../patch/workshop.ts';

/** What people do to branches while an agent is at work on them, on a real forge. */
let world: PublishingWorld;
let shop: Workshop;
beforeAll(async () => {
  world = await createPublishingWorld();
  shop = createWorkshop(world);
});
afterAll(() => world.close());

const A = { 'a.txt': 'one\n', 'b.txt': 'two\n' };

/** A pull request, and an agent's further work on it. */
async function begun(branch: string) {
  const first = await shop.work(A, { ...A, 'a.txt': 'mine\n' });
  const opened = await shop.publish(first, branch, { ...first.exact, key: `${branch}.1` });
  await world.pull();
  const further = await shop.workOn(opened.headSHA, { ...A, 'a.txt': 'mine, better\n' });
  return { first, opened, further };
}

describe('a branch that somebody rewrote while its agent was at work', () => {
  test('keeps what they made of it: a rebased one', async () => {
    const { first, further } = await begun('rebased');
    const rebased = await world.commit(snapshot({ ...A, 'a.txt': 'mine, by them\n' }), first.base);
    await world.push({ rebased });
    const failure = await failureOf(shop.publish(further, 'rebased', { ...further.exact, key: 'rebased.2' }));
    expect(failure).toMatchObject({ kind: 'conflict', paths: ['a.txt'] });
    expect(failure).toHaveProperty('message', expect.stringContaining('forced push'));
    await world.pull();
    expect(await shop.tip('rebased')).toBe(rebased);
  });

  test('keeps it: one from which the newest commit was taken', async () => {
    const { first, further } = await begun('shortened');
    await world.push({ shortened: first.base });
    expect(await failureOf(shop.publish(further, 'shortened', { ...further.exact, key: 's.2' }))).toMatchObject({
      kind: 'conflict',
    });
    await world.pull();
    expect(await shop.tip('shortened')).toBe(first.base);
  });

  test('is not confused with one that they built on, also by merging the default branch', async () => {
    const { opened, further } = await begun('built-on');
    await people(world.forge).commit({ 'c.txt': 'theirs\n' }, 'built-on', 'built-on');
    await people(world.forge).commit({ 'main.txt': 'of main\n' });
    await world.forge.human('POST', '/merges', { base: 'built-on', head: 'main' });
    const revision = await shop.publish(further, 'built-on', { ...further.exact, key: 'built-on.2' });
    expect(revision.id).toBe(opened.id);
    await world.pull();
    for (const [file, text] of Object.entries({ 'a.txt': 'mine, better', 'c.txt': 'theirs', 'main.txt': 'of main' })) {
      expect(await world.git('show', `refs/remotes/origin/built-on:${file}`)).toBe(text);
    }
  });
});

describe('a pull request that somebody ended while its agent was at work', () => {
  test.each([
    ['closed', (id: string) => world.forge.human('PATCH', `/pulls/${id}`, { state: 'closed' })],
    ['merged', (id: string) => world.forge.human('PUT', `/pulls/${id}/merge`)],
    ['left without its branch', () => world.push({ ended: '' })],
  ] as const)('stays ended: %s', async (_, end) => {
    const { opened, further } = await begun('ended');
    await end(opened.id);
    const tips = await branches();
    const publishing = shop.publish(further, 'ended', { ...further.exact, key: 'ended.2', isRevised: true });
    expect(await failureOf(publishing)).toMatchObject({ kind: 'refused' });
    expect(await branches()).toBe(tips);
    await world.push({ ended: '' });
  });

  test('and that somebody has reopened since goes on', async () => {
    const { opened, further } = await begun('reopened');
    await world.forge.human('PATCH', `/pulls/${opened.id}`, { state: 'closed' });
    await world.forge.human('PATCH', `/pulls/${opened.id}`, { state: 'open' });
    const revision = await shop.publish(further, 'reopened', { ...further.exact, key: 'r.2', isRevised: true });
    expect(revision.id).toBe(opened.id);
  });
});

const branches = () => world.git('ls-remote', world.forge.forge.gitURL);

test('a label that was deleted is made anew by the next status, and takes nothing else with it', async () => {
  const { workItemReader, workItemWriter } = world.forge.provider();
  const id = await people(world.forge).openIssue({ labels: ['task:implement', 'priority:high', 'mine'] });
  await workItemWriter.transitionStatus(id, 'in-progress');
  await world.forge.human('DELETE', `/issues/${id}/labels/status:in-progress`);
  expect(await workItemReader.getWorkItem(id)).toMatchObject({ status: 'pending', isTracked: true });
  await workItemWriter.transitionStatus(id, 'review');
  expect(await workItemReader.getWorkItem(id)).toMatchObject({ status: 'review', priority: 'high' });
  await world.forge.human('DELETE', `/issues/${id}/labels/task:implement`);
  expect(await workItemReader.getWorkItem(id)).toMatchObject({ isTracked: false });
});

describe('a default branch that was renamed', () => {
  test('is named, with what to do; work that waits for it goes on when it is back', async () => {
    const made = await shop.work(A, { ...A, 'a.txt': 'mine\n' });
    const { specReader, revisionWriter } = world.forge.provider({ defaultBranch: 'trunk' });
    const publish = () => revisionWriter.createFromPatch(world.workItemID, made.patch, 'waiting', made.exact);
    const advice = expect.stringMatching(/no branch 'trunk'.*set specPoller\.defaultBranch/);
    await expect(specReader.readSpecTree()).rejects.toMatchObject({ kind: 'not-found', message: advice });
    await expect(publish()).rejects.toMatchObject({ kind: 'unavailable', message: advice });

    await world.push({ trunk: made.base });
    expect((await specReader.readSpecTree()).commitSHA).toBe(made.base);
    expect(await publish()).toMatchObject({ headRef: 'waiting', state: 'open' });
  });
});
