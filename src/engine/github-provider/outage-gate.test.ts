import { expect, test } from 'vitest';
import { createManualClock } from '../../../test/contracts/manual-clock.ts';
import { ProviderError } from '../../domain/provider-error.ts';
import { createOutageGate } from './outage-gate.ts';

const MISS = new ProviderError('unavailable', 'GET /issues got no answer');

function closedGate(error = MISS) {
  const clock = createManualClock();
  const gate = createOutageGate(clock);
  for (let second = 0; second <= 30; second++) {
    gate.missed(error, gate.enter());
    clock.advance(1_000);
  }
  return { clock, gate };
}

test('after half a minute without any answer nothing is sent, and whoever asks is told until when', () => {
  const { clock, gate } = closedGate();
  expect(() => gate.enter()).toThrow(
    expect.objectContaining({ kind: 'away', until: clock.now() + 4_000, isInDoubt: false, mayPass: true }),
  );
});

test('an app that is not let in is told so, and does not knock for everybody either', () => {
  const { gate } = closedGate(new ProviderError('unauthorized', 'suspended'));
  expect(() => gate.enter()).toThrow(expect.objectContaining({ kind: 'unauthorized', message: 'suspended' }));
});

test('a single answer in between, whatever it says, is a sign of life', () => {
  const clock = createManualClock();
  const gate = createOutageGate(clock);
  for (let second = 0; second < 120; second++) {
    gate.missed(MISS, gate.enter());
    if (second % 20 === 0) gate.answered();
    clock.advance(1_000);
  }
  expect(gate.enter()).toBe(false);
});

test('a burst of failures is not an outage', () => {
  const gate = createOutageGate(createManualClock());
  for (let request = 0; request < 100; request++) gate.missed(MISS, false);
  expect(gate.enter()).toBe(false);
});

test('when the pause is over exactly one request looks; if it fails, the next pause is twice as long, up to a minute', () => {
  const { clock, gate } = closedGate();
  const pauses: number[] = [];
  for (let look = 0; look < 6; look++) {
    let pauseMs = 0;
    for (let isLook = false; !isLook; pauseMs += 1_000) {
      clock.advance(1_000);
      isLook = looks(gate);
    }
    expect(() => gate.enter()).toThrow('away');
    gate.missed(MISS, true);
    gate.missed(MISS, false); // one that was under way all the time
    pauses.push(pauseMs);
  }
  expect(pauses).toEqual([4_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
});

test('the first answer opens the gate for all', () => {
  const { clock, gate } = closedGate();
  clock.advance(5_000);
  expect(gate.enter()).toBe(true);
  gate.answered();
  expect([gate.enter(), gate.enter()]).toEqual([false, false]);
});

test('a look that never ends does not keep it closed for ever', () => {
  const { clock, gate } = closedGate();
  clock.advance(5_000);
  gate.enter();
  clock.advance(120_000);
  expect(gate.enter()).toBe(true);
});

function looks(gate: ReturnType<typeof createOutageGate>): boolean {
  try {
    return gate.enter();
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'away') return false;
    throw error;
  }
}
