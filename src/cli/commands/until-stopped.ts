import type { Engine } from '../../engine/engine-types.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** How long an engine that was told twice may take to put its things away. */
const LAST_PATIENCE_MS = 10_000;

/**
 * Runs `start`, then waits for a signal. The first one stops the engine gracefully, a second one at once. Resolves when
 * the engine has stopped; rejects if `start` does, or if the engine stops by itself.
 */
export async function untilStopped(
  engine: Engine,
  { terminal }: Context,
  start: () => Promise<void>,
): Promise<ExitCode> {
  const stopped = Promise.withResolvers<ExitCode>();
  let signals = 0;

  function onSignal(): void {
    signals += 1;
    if (signals === 1) {
      const running = engine.getSnapshot().runs.filter((run) => run.status === 'running').length;
      const agents = running === 1 ? '1 running agent' : `${running} running agents`;
      const wait = running === 0 ? '' : ` Waiting for ${agents}; once more stops at once.`;
      terminal.note(`Stopping.${wait}`);
      engine.stop().then(() => stopped.resolve(signals > 1 ? EXIT.interrupted : EXIT.ok), stopped.reject);
    } else if (signals === 2) {
      terminal.note('Stopping at once. What the agents have done so far is kept.');
      engine.stop().catch(stopped.reject);
      setTimeout(() => process.exit(EXIT.interrupted), LAST_PATIENCE_MS).unref();
    } else {
      process.exit(EXIT.interrupted);
    }
  }

  void engine.ended.then((failure) => failure !== null && stopped.reject(failure));
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    await Promise.race([start(), stopped.promise]);
    return await stopped.promise;
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}
