import { mergeAsHuman } from '../../src/demo/play-human.ts';
import type { Engine } from '../../src/engine/engine-types.ts';
import type { EmbeddedForge } from '../../src/forge/create-embedded-forge.ts';

export interface MergingOptions {
  /** How many items have to be closed. */
  readonly items: number;
  readonly timeoutMs: number;
  readonly onClosed: (closed: number) => void;
}

/** Plays the human who merges whatever is approved, until every item is closed or the time is up; then all ends. */
export async function mergeUntilClosed(engine: Engine, forge: EmbeddedForge, options: MergingOptions): Promise<void> {
  const { items, timeoutMs, onClosed } = options;
  const done = Promise.withResolvers<void>();
  const closed = new Set<number>();
  const pulls = new Map<number, number>();
  engine.on((event) => {
    if (event.type === 'prLinked') pulls.set(event.issueNumber, event.prNumber);
    if (event.type !== 'issueStatusChanged') return;
    const pull = pulls.get(event.issueNumber);
    if (event.newStatus === 'approved' && pull !== undefined) mergeAsHuman(forge, pull).catch(done.reject);
    if (event.newStatus !== null || closed.has(event.issueNumber)) return;
    closed.add(event.issueNumber);
    onClosed(closed.size);
    if (closed.size === items) done.resolve();
  });
  const timer = setTimeout(done.resolve, timeoutMs);
  await engine.start();
  await done.promise;
  clearTimeout(timer);
  await engine.stop();
}
