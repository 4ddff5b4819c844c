import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ProviderError, type ProviderErrorKind } from '../../domain/provider-error.ts';
import type { Clock } from '../ports.ts';
import { createForgeCalls } from './forge-calls.ts';
import type { Answer } from './github-client/types.ts';

const Data = z.object({ ok: z.boolean() });
type Data = z.infer<typeof Data>;

const NOW = Date.UTC(2026, 0, 1);

/** Every wait ends at once, and is written down. */
function setUp(random = () => 0.5) {
  const waits: number[] = [];
  let now = NOW;
  const clock: Clock = {
    now: () => now,
    after(ms, callback) {
      waits.push(ms);
      now += ms;
      queueMicrotask(callback);
      return () => {};
    },
  };
  const setClock = (ms: number) => void (now = ms);
  return { waits, clock, setClock, calls: createForgeCalls({ clock, random }) };
}

/** What Octokit throws for a bad answer. */
function refused(status: number, headers: Record<string, string> = {}, message = `Injected ${status}`): Error {
  const request = { method: 'GET', url: 'https://forge.example/x' };
  return Object.assign(new Error(message), { status, request, response: { headers, data: {} } });
}

/** What Octokit throws when there was no answer. */
function unanswered(): Error {
  return Object.assign(new Error('fetch failed'), {
    status: 500,
    request: { method: 'GET', url: 'https://forge.example/x' },
  });
}

function good(data: Data = { ok: true }, link?: string): Answer<Data> {
  return { status: 200, url: 'https://forge.example/x', headers: { link }, data };
}

/** Fails with each of these in turn, then succeeds. */
function failingWith(...errors: Error[]) {
  const left = [...errors];
  let sent = 0;
  const send = async () => {
    sent += 1;
    const error = left.shift();
    if (error !== undefined) throw error;
    return good();
  };
  return { send, sent: () => sent };
}

async function failure(promise: Promise<unknown>): Promise<ProviderError> {
  const error: unknown = await promise.then(
    () => new Error('it succeeded'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ProviderError) return error;
  throw new Error('not a ProviderError', { cause: error });
}

describe('a repeatable call', () => {
  test('[GHP-52] waits as long as Retry-After says', async () => {
    const { calls, waits } = setUp();
    const { send, sent } = failingWith(refused(429, { 'retry-after': '7' }));
    expect(await calls.repeatable(Data, send)).toEqual({ ok: true });
    expect(waits).toEqual([7_000]);
    expect(sent()).toBe(2);
  });

  test('understands Retry-After as a date', async () => {
    const { calls, waits } = setUp();
    const { send } = failingWith(refused(429, { 'retry-after': new Date(NOW + 9_000).toUTCString() }));
    await calls.repeatable(Data, send);
    expect(waits).toEqual([9_000]);
  });

  test.each([500, 502, 503, 504])(
    '[GHP-53] is sent up to three times more after a %i, with growing waits',
    async (status) => {
      const { calls, waits } = setUp();
      const { send, sent } = failingWith(refused(status), refused(status), refused(status));
      expect(await calls.repeatable(Data, send)).toEqual({ ok: true });
      expect(sent()).toBe(4);
      expect(waits).toEqual([750, 1_500, 3_000]);
    },
  );

  test('jitter moves a wait between half and all of it', async () => {
    for (const [random, expected] of [
      [() => 0, [500, 1_000, 2_000]],
      [() => 0.999999, [1_000, 2_000, 4_000]],
    ] as const) {
      const { calls, waits } = setUp(random);
      await calls.repeatable(Data, failingWith(refused(500), refused(500), refused(500)).send);
      expect(waits.map(Math.round)).toEqual(expected);
    }
  });

  test('[GHP-55] rejects with the last failure once all retries are used up', async () => {
    const { calls } = setUp();
    const { send, sent } = failingWith(...Array.from({ length: 9 }, () => refused(503)));
    const error = await failure(calls.repeatable(Data, send));
    expect(error).toMatchObject({ kind: 'unavailable', isInDoubt: true });
    expect(error.message).toContain('GET https://forge.example/x answered 503: Injected 503');
    expect(error.cause).toBeInstanceOf(Error);
    expect(sent()).toBe(4);
  });

  test('is repeated when the connection broke', async () => {
    const { calls } = setUp();
    expect(await calls.repeatable(Data, failingWith(unanswered()).send)).toEqual({ ok: true });
  });

  test.each<[number, ProviderErrorKind]>([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [410, 'not-found'],
    [409, 'conflict'],
    [405, 'rejected'],
    [422, 'rejected'],
    [501, 'unavailable'],
  ])('[GHP-54] rejects at once after a %i, as %s', async (status, kind) => {
    const { calls, waits } = setUp();
    const { send, sent } = failingWith(refused(status));
    expect((await failure(calls.repeatable(Data, send))).kind).toBe(kind);
    expect(sent()).toBe(1);
    expect(waits).toEqual([]);
  });

  test('a refused token is renewed once, also for a creating call, because nothing was done', async () => {
    const { clock } = setUp();
    let renewals = 0;
    const calls = createForgeCalls({ clock, random: () => 0, renewSignIn: () => void (renewals += 1) });
    expect(await calls.creating(Data, failingWith(refused(401)).send)).toEqual({ ok: true });
    expect((await failure(calls.repeatable(Data, failingWith(refused(401), refused(401)).send))).kind).toBe(
      'unauthorized',
    );
    expect(renewals).toBe(2);
  });

  test('turns an error that is no failed request into a failed sign-in', async () => {
    const { calls } = setUp();
    const error = await failure(calls.repeatable(Data, failingWith(new Error('DECODER routines::unsupported')).send));
    expect(error.kind).toBe('unauthorized');
    expect(error.message).toMatch(/private key/);
  });

  test.each([
    ['HTML', '<html>'],
    ['missing fields', {}],
    ['null', null],
    ['a list', []],
  ])('an answer with %s is malformed', async (_, data) => {
    const { calls } = setUp();
    const send = async () => ({ ...good(), data: z.custom<Data>().parse(data) });
    expect((await failure(calls.repeatable(Data, send))).kind).toBe('malformed');
  });
});

describe('limits', () => {
  const inSeconds = (seconds: number) => String(NOW / 1000 + seconds);

  test('a 403 that says the limit is used up is waited for until its reset', async () => {
    const { calls, waits } = setUp();
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(20) };
    await calls.repeatable(Data, failingWith(refused(403, headers)).send);
    expect(waits).toEqual([20_000]);
  });

  test('a wait over a minute is not slept but reported with its end, and others are not sent meanwhile', async () => {
    const { calls, waits, clock } = setUp();
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(1_800) };
    const error = await failure(calls.repeatable(Data, failingWith(refused(403, headers)).send));
    expect(error).toMatchObject({ kind: 'rate-limited', until: NOW + 1_800_000, isInDoubt: false });
    const other = failingWith();
    expect((await failure(calls.repeatable(Data, other.send))).kind).toBe('rate-limited');
    expect(other.sent()).toBe(0);
    expect(waits).toEqual([]);
    clock.after(1_800_000, () => {});
    expect(await calls.repeatable(Data, other.send)).toEqual({ ok: true });
  });

  test('a reset in the past, as a clock that is ahead sees it, is still a reason to pause', async () => {
    const { calls, waits } = setUp();
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(-300) };
    await calls.repeatable(Data, failingWith(refused(403, headers), refused(403, headers)).send);
    expect(waits).toEqual([1_000, 1_000]);
  });

  test.each([
    ['Retry-After', { 'retry-after': '99999999' }],
    ['a reset', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '99999999999' }],
  ])('no limit is believed for longer than an hour, whatever %s says', async (_, headers) => {
    const { calls } = setUp();
    const error = await failure(calls.repeatable(Data, failingWith(refused(429, headers)).send));
    expect(error).toMatchObject({ kind: 'rate-limited', until: NOW + 3_600_000 });
  });

  test('a clock that is set back does not make a limit last for ever', async () => {
    const { calls, setClock } = setUp();
    await failure(calls.repeatable(Data, failingWith(refused(403, { 'retry-after': '1800' })).send));
    setClock(NOW - 86_400_000);
    expect(await calls.repeatable(Data, failingWith().send)).toEqual({ ok: true });
  });

  test('a secondary limit with Retry-After over a minute is reported too', async () => {
    const { calls } = setUp();
    const error = await failure(calls.creating(Data, failingWith(refused(403, { 'retry-after': '90' })).send));
    expect(error).toMatchObject({ kind: 'rate-limited', until: NOW + 90_000 });
  });

  test('a 403 that only speaks of a limit is backed off from, and reported in the end', async () => {
    const { calls, waits } = setUp();
    const limited = () => refused(403, {}, 'You have exceeded a secondary rate limit');
    const { send, sent } = failingWith(limited(), limited(), limited(), limited());
    expect(await failure(calls.repeatable(Data, send))).toMatchObject({ kind: 'rate-limited' });
    expect(waits).toHaveLength(3);
    expect(sent()).toBe(4);
  });

  test('a call that waits its turn goes on after a short limit', async () => {
    const { calls } = setUp();
    const first = calls.repeatable(Data, failingWith(refused(429, { 'retry-after': '5' })).send);
    const second = calls.repeatable(Data, failingWith().send);
    expect(await Promise.all([first, second])).toEqual([{ ok: true }, { ok: true }]);
  });
});

describe('a creating call', () => {
  test.each([
    ['a 500', refused(500)],
    ['a 502', refused(502)],
    ['no answer', unanswered()],
  ])('is never repeated after %s: it is in doubt', async (_, error) => {
    const { calls } = setUp();
    const { send, sent } = failingWith(error);
    expect(await failure(calls.creating(Data, send))).toMatchObject({ kind: 'unavailable', isInDoubt: true });
    expect(sent()).toBe(1);
  });

  test.each([429, 403])('is repeated after a %i for a limit, because nothing was done', async (status) => {
    const { calls } = setUp();
    const { send, sent } = failingWith(refused(status, { 'retry-after': '1' }));
    expect(await calls.creating(Data, send)).toEqual({ ok: true });
    expect(sent()).toBe(2);
  });

  test('is in doubt when its answer cannot be read', async () => {
    const { calls } = setUp();
    const send = async () => ({ ...good(), data: z.custom<Data>().parse('<html>') });
    expect(await failure(calls.creating(Data, send))).toMatchObject({ kind: 'malformed', isInDoubt: true });
  });
});

describe('a list', () => {
  const NEXT = '<https://forge.example/x?page=2>; rel="next", <https://forge.example/x?page=3>; rel="last"';

  test('is read to its last page, each page retried by itself', async () => {
    const { calls } = setUp();
    const asked: number[] = [];
    const list = await calls.list(z.number(), async ({ page }) => {
      asked.push(page);
      if (page === 2 && asked.length === 2) throw refused(500);
      return { status: 200, url: '', headers: page < 3 ? { link: NEXT } : {}, data: [page] };
    });
    expect(list).toEqual([1, 2, 3]);
    expect(asked).toEqual([1, 2, 2, 3]);
  });

  test('goes on after a full page even if nothing is said about a next one', async () => {
    const { calls } = setUp();
    const full = Array.from({ length: 100 }, (_, n) => n);
    const list = await calls.list(z.number(), async ({ page }) => {
      return { status: 200, url: '', headers: {}, data: page === 1 ? full : [100] };
    });
    expect(list).toHaveLength(101);
  });

  test('ends at an empty page, and is refused if it never ends', async () => {
    const { calls } = setUp();
    const asked: number[] = [];
    const list = (data: number[]) =>
      calls.list(z.number(), async ({ page }) => {
        asked.push(page);
        return { status: 200, url: '', headers: { link: NEXT }, data };
      });
    expect(await list([])).toEqual([]);
    expect(asked).toEqual([1]);
    expect((await failure(list([1]))).kind).toBe('malformed');
  });

  test('ends early when told so', async () => {
    const { calls } = setUp();
    const page = async ({ page }: { page: number }) => ({
      status: 200,
      url: '',
      headers: { link: NEXT },
      data: [page],
    });
    expect(await calls.list(z.number(), page, ([n]) => n === 2)).toEqual([1, 2]);
  });

  test('is refused as a whole when one page cannot be read', async () => {
    const { calls } = setUp();
    const page = async ({ page }: { page: number }) => {
      if (page === 2) throw refused(404);
      return { status: 200, url: '', headers: { link: NEXT }, data: [page] };
    };
    expect((await failure(calls.list(z.number(), page))).kind).toBe('not-found');
  });
});
