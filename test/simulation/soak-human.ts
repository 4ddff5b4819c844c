import { mergeAsHuman } from '../../src/demo/play-human.ts';
import type { Engine, EngineEvent } from '../../src/engine/engine-types.ts';
import type { EmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import { isHanging } from './soak-script.ts';

/** Merges what is approved, closes what he is asked about, cancels what hangs and sends it off again; and counts. */
export interface SoakHuman {
  readonly titles: ReadonlyMap<number, string>;
  /** Pull requests by item. */
  readonly pulls: ReadonlyMap<number, ReadonlySet<number>>;
  readonly closed: ReadonlySet<number>;
  readonly closedByHand: ReadonlySet<number>;
  readonly troubles: readonly string[];
  runs(): number;
  failedRuns(): number;
  watch(engine: Engine): void;
}

export function createSoakHuman(forge: EmbeddedForge): SoakHuman {
  const titles = new Map<number, string>();
  const pulls = new Map<number, Set<number>>();
  const merged = new Set<number>();
  const closed = new Set<number>();
  const closedByHand = new Set<number>();
  const cancelled = new Set<number>();
  const troubles: string[] = [];
  let [runs, failedRuns] = [0, 0];
  const note = (error: unknown) => troubles.push(String(error));

  function hear(event: EngineEvent, engine: Engine): void {
    switch (event.type) {
      case 'agentStarted': {
        runs++;
        const { issueNumber = 0 } = event;
        const isStuck = event.agentType === 'implementor' && isHanging(titles.get(issueNumber) ?? '');
        if (!isStuck || cancelled.has(issueNumber)) return;
        cancelled.add(issueNumber);
        return engine.send({ command: 'cancelAgent', issueNumber });
      }
      case 'agentFailed':
        failedRuns++;
        if (event.issueNumber === undefined || !cancelled.has(event.issueNumber)) return;
        return engine.send({ command: 'dispatchImplementor', issueNumber: event.issueNumber });
      case 'prLinked':
        pulls.set(event.issueNumber, (pulls.get(event.issueNumber) ?? new Set()).add(event.prNumber));
        return;
      case 'issueStatusChanged':
        titles.set(event.issueNumber, event.title);
        return act(event.issueNumber, event.newStatus);
      case 'agentCompleted':
      case 'ciStatusChanged':
      case 'specChanged':
    }
  }

  /** A new engine tells every status again; once is enough for a human. */
  function act(issueNumber: number, status: string | null): void {
    const [pull] = pulls.get(issueNumber) ?? [];
    if (status === 'approved' && pull !== undefined && !merged.has(pull)) {
      merged.add(pull);
      mergeAsHuman(forge, pull).catch(note);
    }
    if ((status === 'needs-refinement' || status === 'blocked') && !closedByHand.has(issueNumber)) {
      closedByHand.add(issueNumber);
      closeAsHuman(forge, issueNumber).catch(note);
    }
    if (status === null) closed.add(issueNumber);
  }

  return {
    titles,
    pulls,
    closed,
    closedByHand,
    troubles,
    runs: () => runs,
    failedRuns: () => failedRuns,
    watch: (engine) => void engine.on((event) => hear(event, engine)),
  };
}

async function closeAsHuman({ url, gitURL, owner, repo }: EmbeddedForge, issueNumber: number): Promise<void> {
  const { password } = new URL(gitURL);
  const response = await fetch(`${url}/repos/${owner}/${repo}/issues/${issueNumber}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${decodeURIComponent(password)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ state: 'closed', state_reason: 'not_planned' }),
  });
  if (!response.ok)
    throw new Error(`The human could not close #${issueNumber}: the forge answered ${response.status}.`);
}
