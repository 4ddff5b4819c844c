import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSeededWorld, numberedLines, numberOf, thing, things } from './forge-world.ts';
import type { ForgeWorld } from './forge-world.ts';

let world: ForgeWorld;
let ofApp: number;
let ofHuman: number;

beforeAll(async () => {
  world = await createSeededWorld();
  const changed = numberedLines(30, { 10: 'ten', 20: 'twenty' });
  await world.push('app-branch', { 'src/lines.txt': changed, 'new.txt': 'one\ntwo\n' }, 'main');
  await world.push('human-branch', { other: 'x\n' }, 'main');
  ofApp = numberOf(await world.app('POST', 'pulls', { title: 'x', head: 'app-branch', base: 'main' }));
  ofHuman = numberOf(await world.human('POST', 'pulls', { title: 'x', head: 'human-branch', base: 'main' }));
});

afterAll(() => world.close());

const reviewsOf = async (number: number) => things(await world.app('GET', `pulls/${number}/reviews`));

describe('a verdict', () => {
  test('is a review of the head commit', async () => {
    const head = await world.git('rev-parse', 'human-branch');
    const approved = await world.app('POST', `pulls/${ofHuman}/reviews`, { event: 'APPROVE' });
    expect(approved).toMatchObject({
      status: 200,
      body: { state: 'APPROVED', body: '', commit_id: head, user: { login: 'decree[bot]' } },
    });
    const refused = await world.app('POST', `pulls/${ofHuman}/reviews`, { event: 'REQUEST_CHANGES', body: 'No' });
    expect(refused.body).toMatchObject({ state: 'CHANGES_REQUESTED', body: 'No' });
    expect((await reviewsOf(ofHuman)).map((review) => review.state)).toEqual(['APPROVED', 'CHANGES_REQUESTED']);
  });

  test.each([
    ['APPROVE', 'Can not approve your own pull request'],
    ['REQUEST_CHANGES', 'Can not request changes on your own pull request'],
  ])('of its own author is refused (%s)', async (event, message) => {
    const before = await reviewsOf(ofApp);
    const reply = await world.app('POST', `pulls/${ofApp}/reviews`, { event, body: 'x' });
    expect(reply).toMatchObject({ status: 422, body: { message: 'Unprocessable Entity', errors: [message] } });
    expect(await reviewsOf(ofApp)).toEqual(before);
    expect((await world.human('POST', `pulls/${ofHuman}/reviews`, { event, body: 'x' })).status).toBe(422);
  });

  test('of its own author may be a comment', async () => {
    const reply = await world.app('POST', `pulls/${ofApp}/reviews`, { event: 'COMMENT', body: 'Well' });
    expect(reply).toMatchObject({ status: 200, body: { state: 'COMMENTED' } });
  });

  test('needs an event, and words unless it approves', async () => {
    expect((await world.human('POST', `pulls/${ofApp}/reviews`, { body: 'x' })).status).toBe(422);
    expect((await world.human('POST', `pulls/${ofApp}/reviews`, { event: 'COMMENT' })).status).toBe(422);
    expect((await world.human('POST', `pulls/${ofApp}/reviews`, { event: 'REQUEST_CHANGES', body: '' })).status).toBe(
      422,
    );
    expect((await world.human('POST', 'pulls/999/reviews', { event: 'APPROVE' })).status).toBe(404);
  });

  test('is about a commit of the pull request', async () => {
    const first = await world.git('rev-parse', 'human-branch');
    await world.push('human-branch', { other: 'y\n' });
    const wish = { event: 'COMMENT', body: 'x' };
    const old = await world.app('POST', `pulls/${ofHuman}/reviews`, { ...wish, commit_id: first });
    expect(old.body).toMatchObject({ commit_id: first });
    const foreign = await world.git('rev-parse', 'app-branch');
    expect((await world.app('POST', `pulls/${ofHuman}/reviews`, { ...wish, commit_id: foreign })).status).toBe(422);
    expect((await world.app('POST', `pulls/${ofHuman}/reviews`, { ...wish, commit_id: '0'.repeat(40) })).status).toBe(
      422,
    );
  });
});

describe('inline comments', () => {
  test('stand on lines of the diff', async () => {
    const comments = [
      { path: 'src/lines.txt', line: 10, body: 'changed line' },
      { path: 'src/lines.txt', line: 23, body: 'context' },
      { path: 'new.txt', line: 2, body: 'new line' },
    ];
    const reply = await world.human('POST', `pulls/${ofApp}/reviews`, { event: 'COMMENT', comments });
    expect(reply.status).toBe(200);
    const listed = await world.app('GET', `pulls/${ofApp}/comments`);
    expect(listed.body).toMatchObject([
      { path: 'src/lines.txt', line: 10, side: 'RIGHT', body: 'changed line', user: { login: 'human' } },
      { line: 23, side: 'RIGHT' },
      { path: 'new.txt', line: 2 },
    ]);
    expect(things(listed).every((comment) => comment['pull_request_review_id'] === thing(reply).id)).toBe(true);
    expect(things(listed)[0]?.['diff_hunk']).toMatch(/^@@ -7,7 \+7,7 @@.*-line 10\n\+ten$/s);
    expect((await world.app('GET', `pulls/${ofApp}`)).body).toMatchObject({ review_comments: 3 });
  });

  test.each([
    ['a line outside the hunks', { path: 'src/lines.txt', line: 1 }, 'Line could not be resolved'],
    ['a line beyond the file', { path: 'new.txt', line: 3 }, 'Line could not be resolved'],
    ['a file that did not change', { path: 'README.md', line: 1 }, 'Path could not be resolved'],
  ])('on %s make the whole review fail, and nothing is stored', async (_, place, message) => {
    const before = await world.app('GET', `pulls/${ofApp}/comments`);
    const reviews = await reviewsOf(ofApp);
    const good = { path: 'new.txt', line: 1, body: 'fine' };
    const wish = { event: 'COMMENT', body: 'x', comments: [good, { ...place, body: 'x' }] };
    expect(await world.human('POST', `pulls/${ofApp}/reviews`, wish)).toMatchObject({
      status: 422,
      body: { errors: [message] },
    });
    expect((await world.app('GET', `pulls/${ofApp}/comments`)).body).toEqual(before.body);
    expect(await reviewsOf(ofApp)).toEqual(reviews);
  });

  test('without a line are refused', async () => {
    const wish = { event: 'COMMENT', body: 'x', comments: [{ path: 'new.txt', body: 'x' }] };
    expect((await world.human('POST', `pulls/${ofApp}/reviews`, wish)).status).toBe(422);
  });

  test('lose their line when the file changes after them, and only then', async () => {
    await world.push('aging', { 'a.txt': '1\n', 'b.txt': '1\n' }, 'main');
    const number = numberOf(await world.app('POST', 'pulls', { title: 'x', head: 'aging', base: 'main' }));
    const comments = ['a.txt', 'b.txt'].map((path) => ({ path, line: 1, body: path }));
    await world.human('POST', `pulls/${number}/reviews`, { event: 'COMMENT', comments });
    await world.push('aging', { 'a.txt': '2\n' });
    const [a, b] = things(await world.app('GET', `pulls/${number}/comments`));
    expect(a).toMatchObject({ original_line: 1 });
    expect(a).not.toHaveProperty('line');
    expect(b).toMatchObject({ line: 1 });
  });
});

describe('dismissing', () => {
  test('turns a verdict into a dismissed one, once', async () => {
    const { id } = thing(await world.human('POST', `pulls/${ofApp}/reviews`, { event: 'REQUEST_CHANGES', body: 'x' }));
    const path = `pulls/${ofApp}/reviews/${id}/dismissals`;
    expect((await world.app('PUT', path, {})).status).toBe(422);
    expect(await world.app('PUT', path, { message: 'old' })).toMatchObject({
      status: 200,
      body: { state: 'DISMISSED' },
    });
    expect(await world.app('PUT', path, { message: 'old' })).toMatchObject({
      status: 422,
      body: { errors: ['Can not dismiss a dismissed pull request review'] },
    });
  });

  test('is not possible for comments, nor for reviews of another pull request', async () => {
    const { id } = thing(await world.human('POST', `pulls/${ofApp}/reviews`, { event: 'COMMENT', body: 'x' }));
    const wish = { message: 'x' };
    expect(await world.app('PUT', `pulls/${ofApp}/reviews/${id}/dismissals`, wish)).toMatchObject({
      status: 422,
      body: { errors: ['Can not dismiss a commented pull request review'] },
    });
    expect((await world.app('PUT', `pulls/${ofHuman}/reviews/${id}/dismissals`, wish)).status).toBe(404);
  });
});

test('nothing above was an error of the forge', () => {
  expect(world.errors).toEqual([]);
});
