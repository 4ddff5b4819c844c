import { expect, onTestFinished, test } from 'vitest';
import { createFakeEngine } from './fake-engine.ts';
import { KEYS, openScreen } from './open-screen.ts';
import { implementorOf, item, run } from './sample-snapshot.ts';

const STREAMS = 10;

test('a thousand events a second and ten live streams: few frames, no flicker, and keys answer', async () => {
  const numbers = Array.from({ length: 1000 }, (_, index) => index + 1);
  const engine = createFakeEngine({
    workItems: numbers.map((number) => item(number, `Item number ${number}`, { status: 'pending' })),
    runs: numbers.slice(0, STREAMS).map((number) => run(`session-${number}`, implementorOf(number))),
  });
  for (const number of numbers.slice(0, STREAMS)) engine.write(`session-${number}`, 'I begin.\n');
  const screen = openScreen({ engine, columns: 160, rows: 50 });
  onTestFinished(() => screen.close());
  await screen.until('I begin.');
  screen.press('p');
  await screen.until('#1 stays in the details');

  const writtenBefore = screen.written().length;
  const framesBefore = countFrames(screen.written());
  const tookMs = await burst(500, (count) => {
    engine.emit({ type: 'agentStarted', agentType: 'implementor', issueNumber: count, sessionID: `session-${count}` });
    engine.show({});
    for (let number = 1; number <= STREAMS; number++)
      engine.write(`session-${number}`, `Line ${count} of ${number}.\n`);
    if (count === 250) screen.press(KEYS.end);
  });
  await screen.until('Line 499 of 1.');
  const frames = countFrames(screen.written()) - framesBefore;
  expect(frames).toBeGreaterThan(1);
  // Half a second of events (more on a busy machine), 15 frames a second, and a frame for each key.
  expect(frames).toBeLessThan(tookMs / 60 + 10);
  expect(screen.written().slice(writtenBefore)).not.toContain('␛[2J');
  await screen.until('1000/1000');
});

/** About a thousand events a second. Resolves with how long they took. */
async function burst(count: number, happen: (count: number) => void): Promise<number> {
  const began = performance.now();
  for (let index = 0; index < count; index++) {
    happen(index);
    if (index % 10 === 9) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return performance.now() - began;
}

/** Ink writes one synchronized update a frame. */
function countFrames(written: string): number {
  return written.split('␛[?2026h').length - 1;
}
