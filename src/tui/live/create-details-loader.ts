import type { Engine } from '../../engine/engine-types.ts';
import type { EngineQueries } from '../../engine/query-port.ts';
import type { LoadedDetails, PullDetails } from '../view-model/item-details.ts';
import type { Facts, ItemFacts } from '../view-model/item-facts.ts';

/**
 * Reads the details of the item that is shown, once per version of it. Moving through the list quickly reads nothing:
 * an item must be shown for a moment. Old details stay visible while new ones are read.
 */
export interface DetailsLoader {
  show(facts: Facts | null): void;
  read(id: string): LoadedDetails;
  stop(): void;
}

const MOMENT_MS = 120;
const KEPT_ITEMS = 200;

export function createDetailsLoader(
  engine: Pick<Engine, keyof EngineQueries>,
  onChange: () => void,
  momentMs: number = MOMENT_MS,
): DetailsLoader {
  const known = new Map<string, { version: string; details: LoadedDetails }>();
  let timer: NodeJS.Timeout | null = null;
  let awaited: string | null = null;

  async function load(facts: ItemFacts, version: string): Promise<void> {
    const { id } = facts.item;
    const before = known.get(id);
    known.set(id, { version, details: before?.details ?? { state: 'loading' } });
    for (const oldest of known.keys()) if (known.size > KEPT_ITEMS) known.delete(oldest);
    const details = await readDetails(engine, facts);
    if (known.get(id)?.version !== version) return;
    // A failure is forgotten, so that looking again reads again.
    known.set(id, { version: details.state === 'failed' ? '' : version, details });
    onChange();
  }

  return {
    show: (facts) => {
      if (facts === null || facts.item === null) return;
      const version = versionOf(facts);
      if (known.get(facts.item.id)?.version === version || awaited === version) return;
      if (timer !== null) clearTimeout(timer);
      awaited = version;
      timer = setTimeout(() => {
        awaited = null;
        void load(facts, version);
      }, momentMs);
    },
    read: (id) => known.get(id)?.details ?? { state: 'loading' },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** Changes whenever the forge would answer differently, as far as the snapshot tells. */
function versionOf({ item, revision }: ItemFacts): string {
  const pull = revision === null ? [] : [revision.id, revision.headSHA, revision.pipeline?.status, revision.reviewID];
  return [item.id, item.contentDigest, ...pull].join(' ');
}

async function readDetails(engine: EngineQueries, { item, revision }: ItemFacts): Promise<LoadedDetails> {
  try {
    const [{ body }, pull] = await Promise.all([
      engine.getIssueDetails(Number(item.id)),
      revision === null ? null : readPull(engine, Number(revision.id)),
    ]);
    return { state: 'ready', value: { body, pull } };
  } catch (error) {
    return { state: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

async function readPull(engine: EngineQueries, prNumber: number): Promise<PullDetails> {
  const [files, reviews, ci] = await Promise.all([
    engine.getPRFiles(prNumber),
    engine.getPRReviews(prNumber),
    engine.getCIStatus(prNumber),
  ]);
  return { files, reviews, ci };
}
