import type { Engine } from '../engine/engine-types.ts';

/**
 * Ending, step by step: the first step stops the engine gracefully, a step `atOnce` does not wait for agents any longer,
 * another one after that does not wait for anything.
 */
export interface Quitting {
  gracefully(): void;
  atOnce(): void;
  /** Resolves when the engine is stopped or nobody waits for it any longer; rejects if it cannot be stopped. */
  readonly ended: Promise<void>;
}

export function createQuitting(engine: Pick<Engine, 'stop'>): Quitting {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  let isStopping = false;
  let isHurried = false;

  function gracefully(): void {
    if (isStopping) return;
    isStopping = true;
    engine.stop().then(resolve, reject);
  }

  function atOnce(): void {
    if (isHurried) return resolve();
    isHurried = true;
    gracefully();
    engine.stop().then(resolve, reject);
  }

  return { gracefully, atOnce, ended };
}
