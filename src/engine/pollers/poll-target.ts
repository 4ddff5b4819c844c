import type { ObservedEvent } from '../../domain/event.ts';
import type { EngineState } from '../state-store/engine-state.ts';

/** What a poll compares with, and where it reports differences. */
export interface PollTarget {
  readonly state: () => EngineState;
  /** `readSeq` is the sequence number that was current when the request was sent. */
  readonly enqueue: (body: ObservedEvent, readSeq?: number) => Promise<void>;
  /** The same for all that one request found. */
  readonly enqueueAll: (bodies: readonly ObservedEvent[], readSeq?: number) => Promise<void>;
}
