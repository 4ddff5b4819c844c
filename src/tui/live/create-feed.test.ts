import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFakeEngine } from '../../../test/tui/fake-engine.ts';
import { implementorOf, item, run } from '../../../test/tui/sample-snapshot.ts';
import { createFeed } from './create-feed.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function watch() {
  const engine = createFakeEngine();
  const feed = createFeed(engine, Date.now);
  let frames = 0;
  feed.subscribe(() => frames++);
  feed.start();
  return { engine, feed, frames: () => frames };
}

test('a thousand changes a second are at most sixteen frames, and the last one is among them', async () => {
  const { engine, feed, frames } = watch();
  for (let index = 1; index <= 1000; index++) {
    engine.show({ workItems: [item(index, 'x')] });
    engine.emit({ type: 'prLinked', issueNumber: index, prNumber: index, url: '', ciStatus: null });
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(frames()).toBeGreaterThan(10);
  expect(frames()).toBeLessThanOrEqual(16);
  await vi.advanceTimersByTimeAsync(100);
  expect(feed.frame().snapshot.workItems[0]?.id).toBe('1000');
  expect(feed.frame().activity).toBe('pull request #1000 opened for #1000');
});

test('what takes long to draw is drawn less often', async () => {
  const engine = createFakeEngine();
  let elapsed = 0;
  const feed = createFeed(engine, Date.now, () => elapsed);
  let frames = 0;
  feed.subscribe(() => {
    frames++;
    elapsed += 40;
  });
  feed.start();
  for (let index = 0; index < 1000; index++) {
    engine.show({});
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(frames).toBeGreaterThan(2);
  expect(frames).toBeLessThanOrEqual(5);
});

test('without changes there is a frame a second, and none after the end', async () => {
  const { engine, feed, frames } = watch();
  await vi.advanceTimersByTimeAsync(5100);
  expect(frames()).toBe(5);
  feed.stop();
  engine.show({});
  await vi.advanceTimersByTimeAsync(5000);
  expect(frames()).toBe(5);
});

test('a stream that appears without any change of the snapshot is found within a second', async () => {
  const { engine, feed } = watch();
  engine.show({ runs: [run('s', implementorOf(1))] });
  await vi.advanceTimersByTimeAsync(100);
  engine.write('s', 'hello\n');
  await vi.advanceTimersByTimeAsync(1200);
  expect(feed.frame().tails.get('s')).toEqual(['hello']);
});

test('closed items are counted', async () => {
  const { engine, feed } = watch();
  const event = { type: 'issueStatusChanged', title: 'x', priorityLabel: '', createdAt: '' } as const;
  engine.emit({ ...event, issueNumber: 1, oldStatus: 'approved', newStatus: null });
  engine.emit({ ...event, issueNumber: 2, oldStatus: null, newStatus: 'pending' });
  await vi.advanceTimersByTimeAsync(100);
  expect(feed.frame().done).toBe(1);
});
