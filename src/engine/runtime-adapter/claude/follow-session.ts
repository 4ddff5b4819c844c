import type { Query, SDKMessage, SDKResultMessage, SDKSystemMessage } from '@anthropic-ai/claude-agent-sdk';

export interface FollowedSession {
  /** The session's first words: which model, folder and tools it has. Rejects if there are none. */
  readonly started: Promise<SDKSystemMessage>;
  /** Its last words, good or bad. Rejects if it ends without them. */
  readonly result: Promise<SDKResultMessage>;
}

/** Reads a session from start to result. `watch` sees every message and must not throw. */
export function followSession(query: Query, watch: (message: SDKMessage) => void): FollowedSession {
  const started = Promise.withResolvers<SDKSystemMessage>();

  async function read(): Promise<SDKResultMessage> {
    for await (const message of query) {
      watch(message);
      if (message.type === 'system' && message.subtype === 'init') started.resolve(message);
      // Not read any further: after an error result the iterator throws, and a background task would keep it open.
      if (message.type === 'result') return message;
    }
    throw new Error('the session ended without a result');
  }

  const result = read().finally(() => query.close());
  result.then(
    () => started.reject(new Error('the session ended before it began')),
    (error: unknown) => started.reject(error instanceof Error ? error : new Error(String(error))),
  );
  // Each is looked at in its own time; until then a failure is not an unhandled rejection.
  started.promise.catch(() => undefined);
  return { started: started.promise, result };
}
