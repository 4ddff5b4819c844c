import { z } from 'zod';
import { ProviderError } from '../../domain/provider-error.ts';
import type { Clock, Logger } from '../ports.ts';
import type { Answer } from './github-client/types.ts';
import { createOutageGate } from './outage-gate.ts';
import { MAX_LIMIT_MS, readFailure, type RequestFailure } from './request-failure.ts';

const MAX_RETRIES = 3;
const BASE_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
/** A longer wait is not slept here: the caller gets `rate-limited` with its end. */
const MAX_LIMIT_WAIT_MS = 60_000;
const RETRYABLE = new Set([500, 502, 503, 504]);

const PAGE_SIZE = 100;
const MAX_PAGES = 1_000;

/**
 * How every call to the forge is made: retried as the table says, its failure turned into a ProviderError, its
 * answer checked. Nothing else is ever thrown.
 */
export interface ForgeCalls {
  /** For reads, and for writes that may safely happen twice. */
  repeatable<T>(schema: z.ZodType<T>, send: () => Promise<Answer<T>>): Promise<T>;
  /**
   * For calls that create something. Only a refusal for the rate limit is retried, because then nothing was done;
   * any other lost answer rejects with `unavailable`, and the caller must look for the effect before it repeats.
   */
  creating<T>(schema: z.ZodType<T>, send: () => Promise<Answer<T>>): Promise<T>;
  /** All entries of a list, page after page, each retried by itself; `until` ends the reading early. */
  list<T>(schema: z.ZodType<T>, send: SendPage<T[]>, until?: (page: readonly T[]) => boolean): Promise<T[]>;
  /** The same where the entries are wrapped into something. */
  wrappedList<P, T>(schema: z.ZodType<P>, send: SendPage<P>, unwrap: (page: P) => readonly T[]): Promise<T[]>;
}

type SendPage<P> = (page: { page: number; per_page: number }) => Promise<Answer<P>>;

export interface ForgeCallsDeps {
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly logger?: Logger;
  /** Called when the forge refuses our token, which may have been withdrawn early; the call is then repeated once. */
  readonly renewSignIn?: () => void;
  /**
   * Called when the forge says that something is not there, other than a branch: why, if not because it is gone. A forge
   * also says so of a whole repository to those who may not see it any more. Must not reject.
   */
  readonly whyNotFound?: () => Promise<ProviderError | null>;
  /** Called when the forge points elsewhere: why. Must not reject. Without it, such an answer is malformed. */
  readonly whyMoved?: (answer: Answer<unknown>) => Promise<ProviderError>;
  /** Called when an answer could not be read, so that it is not served again from a cache. */
  readonly forgetAnswers?: () => void;
}

export function createForgeCalls(deps: ForgeCallsDeps): ForgeCalls {
  const { clock, random, logger, renewSignIn, whyNotFound, whyMoved, forgetAnswers } = deps;
  // The forge asked everybody to wait: requests sent meanwhile would only make it worse.
  let limit: RequestFailure | null = null;

  const gate = createOutageGate(clock);

  const sleep = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));

  const waitForLimit = async () => {
    const wait = (limit?.error.until ?? 0) - clock.now();
    // A limit that seems to last longer than any can was read by a clock that has been set back since.
    if (limit === null || wait <= 0 || wait > MAX_LIMIT_MS) return;
    if (wait > MAX_LIMIT_WAIT_MS) throw limit.error;
    await sleep(wait);
  };

  /** How long to wait before the next attempt; null if there must be none. */
  const delayBefore = (failure: RequestFailure, retry: number, mayRepeat: boolean): number | null => {
    if (retry > MAX_RETRIES) return null;
    if (!failure.isLimit && !(isTransient(failure) && mayRepeat)) return null;
    if (failure.retryAt !== null) {
      const wait = Math.max(0, failure.retryAt - clock.now());
      return wait > MAX_LIMIT_WAIT_MS ? null : wait;
    }
    const backoff = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (retry - 1));
    // At least half of it, so that it still grows; the rest is spread, so that callers do not come back together.
    return backoff / 2 + (random() * backoff) / 2;
  };

  const explained = async ({ error, url }: RequestFailure) => {
    if (error.kind !== 'not-found' || whyNotFound === undefined || /\/git\/refs?\//.test(url ?? '')) return error;
    return (await whyNotFound()) ?? error;
  };

  const attempt = async <T>(schema: z.ZodType<T>, send: () => Promise<Answer<T>>, mayRepeat: boolean) => {
    let mayRenew = renewSignIn !== undefined;
    for (let retry = 1; ; retry += 1) {
      await waitForLimit();
      const isLook = gate.enter();
      let answer: Answer<T>;
      try {
        answer = await send();
        gate.answered();
      } catch (thrown) {
        const failure = readFailure(thrown, clock.now());
        const isMiss = isTransient(failure) || failure.isSignInRefused;
        if (isMiss) gate.missed(failure.error, isLook);
        else gate.answered();
        if (isMiss && isLook) throw failure.error;
        if (failure.isLimit && failure.retryAt !== null) limit = failure;
        if (failure.status === 401 && mayRenew) {
          renewSignIn?.();
          mayRenew = false;
          continue;
        }
        const delay = delayBefore(failure, retry, mayRepeat);
        if (delay === null) throw await explained(failure);
        logger?.warn({ error: failure.error.message, retry, delayMs: Math.round(delay) }, 'retrying a forge call');
        await sleep(delay);
        continue;
      }
      if (answer.status >= 300 && whyMoved !== undefined) throw await whyMoved(answer);
      const parsed = schema.safeParse(answer.data);
      if (parsed.success) return { answer, data: parsed.data };
      forgetAnswers?.();
      throw malformed(answer, parsed.error);
    }
  };

  const readPages = async <P, T>(
    schema: z.ZodType<P>,
    send: SendPage<P>,
    unwrap: (page: P) => readonly T[],
    until: (page: readonly T[]) => boolean,
  ): Promise<T[]> => {
    const all: T[] = [];
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const { answer, data } = await attempt(schema, () => send({ page, per_page: PAGE_SIZE }), true);
      const entries = unwrap(data);
      all.push(...entries);
      if (!mayGoOn(answer, entries.length) || until(entries)) return all;
    }
    throw new ProviderError('malformed', `A list did not end after ${MAX_PAGES} pages of ${PAGE_SIZE}`);
  };

  return {
    repeatable: async (schema, send) => (await attempt(schema, send, true)).data,
    creating: async (schema, send) => (await attempt(schema, send, false)).data,
    list: (schema, send, until = () => false) => readPages(z.array(schema), send, (page) => page, until),
    wrappedList: (schema, send, unwrap) => readPages(schema, send, unwrap, () => false),
  };
}

function isTransient({ status }: RequestFailure): boolean {
  return status === null || RETRYABLE.has(status);
}

/** A page can be "not modified" although there is a new one behind it: a full page is never taken for the last. */
function mayGoOn(answer: Answer<unknown>, entries: number): boolean {
  if (entries === 0) return false;
  return entries >= PAGE_SIZE || /;\s*rel="next"/.test(answer.headers.link ?? '');
}

function malformed(answer: Answer<unknown>, error: z.ZodError): ProviderError {
  const problem = typeof answer.data === 'string' ? 'text instead of JSON' : z.prettifyError(error);
  return new ProviderError('malformed', `${answer.url} answered ${answer.status} with ${problem}`, { cause: error });
}
