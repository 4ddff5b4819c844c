/**
 * How commands talk to a running engine: JSON lines over a Unix socket that only its user can reach. A client sends one
 * request and reads answers until the connection ends.
 */
import { z } from 'zod';

const item = z.int().positive();

export const requestSchema = z.discriminatedUnion('ask', [
  z.strictObject({ ask: z.literal('status') }),
  z.strictObject({ ask: z.literal('act'), action: z.enum(['dispatch', 'review', 'merge', 'cancel']), item }),
  /** The live output of a run, from what is kept of it on. */
  z.strictObject({ ask: z.literal('output'), session: z.string().min(1) }),
]);
export type EngineRequest = z.infer<typeof requestSchema>;
export type Action = Extract<EngineRequest, { ask: 'act' }>['action'];

const statusSchema = z.object({
  pid: z.int(),
  repository: z.string(),
  dispatch: z.enum(['manual', 'auto']),
  items: z.array(
    z.object({
      number: z.string(),
      title: z.string(),
      status: z.string(),
      priority: z.string().nullable(),
      pullRequest: z.string().nullable(),
      ci: z.string().nullable(),
      agent: z.string().nullable(),
      /** When the next attempt begins by itself (epoch ms). */
      retryAt: z.number().nullable(),
    }),
  ),
  planningRetryAt: z.number().nullable(),
  runs: z.array(
    z.object({
      session: z.string(),
      role: z.string(),
      subject: z.string(),
      status: z.string(),
      /** Epoch ms. */
      since: z.number(),
    }),
  ),
  spend: z.object({ settledUSD: z.number(), reservedUSD: z.number(), perDayUSD: z.number() }),
  notices: z.array(z.string()),
});
export type EngineStatus = z.infer<typeof statusSchema>;

export const answerSchema = z.discriminatedUnion('answer', [
  z.object({ answer: z.literal('status'), status: statusSchema }),
  z.object({ answer: z.literal('done'), text: z.string() }),
  z.object({ answer: z.literal('refused'), text: z.string(), advice: z.string() }),
  z.object({ answer: z.literal('output'), text: z.string() }),
]);
export type EngineAnswer = z.infer<typeof answerSchema>;

/** A request is small; whoever sends more has lost the thread. */
export const MOST_REQUEST_BYTES = 65_536;
