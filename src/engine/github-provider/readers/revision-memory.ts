import { isDeepStrictEqual } from 'node:util';
import type { PipelineResult } from '../../../domain/revision.ts';
import type { Clock } from '../../ports.ts';
import type { PullRequestData } from '../github-client/answers.ts';
import type { RevisionDetails } from '../mapping/map-pr-to-revision.ts';

/**
 * What was last read about each open pull request, and how long it may be believed. A new head or a new `updated_at`
 * ends belief at once. But a check can change without either, so belief also ends by itself: after a first pause that
 * doubles each time nothing was found to have changed.
 */
export interface RevisionMemory {
  /** Undefined if it has to be read. */
  recall(pr: PullRequestData): RevisionDetails | undefined;
  /** To be called before reading. */
  begin(pr: PullRequestData): Ticket;
  /** Keeps what was read, unless the revision was forgotten meanwhile. */
  keep(ticket: Ticket, details: RevisionDetails): void;
  forget(revisionID: string): void;
  retain(open: readonly PullRequestData[]): void;
}

interface Ticket {
  readonly pr: PullRequestData;
  readonly version: number;
}

interface Entry {
  readonly headSHA: string;
  readonly updatedAt: string;
  readonly details: RevisionDetails;
  readonly pauseMs: number;
  readonly readAt: number;
}

export function createRevisionMemory(clock: Clock): RevisionMemory {
  const entries = new Map<string, Entry>();
  const versions = new Map<string, number>();
  const versionOf = (id: string) => versions.get(id) ?? 0;

  const entryFor = (pr: PullRequestData) => {
    const entry = entries.get(String(pr.number));
    const isSame = entry?.headSHA === pr.head.sha && entry.updatedAt === pr.updated_at;
    return isSame ? entry : undefined;
  };

  return {
    recall(pr) {
      const entry = entryFor(pr);
      if (entry === undefined) return undefined;
      const age = clock.now() - entry.readAt;
      // A clock that was set back says nothing about how old it is.
      return age >= 0 && age < entry.pauseMs ? entry.details : undefined;
    },
    begin: (pr) => ({ pr, version: versionOf(String(pr.number)) }),
    keep({ pr, version }, details) {
      const id = String(pr.number);
      if (versionOf(id) !== version) return;
      const { firstMs, mostMs } = pauses(details.pipeline);
      const known = entryFor(pr);
      const isQuiet = known !== undefined && isDeepStrictEqual(known.details, details);
      const pauseMs = isQuiet ? Math.min(known.pauseMs * 2, mostMs) : firstMs;
      entries.set(id, { headSHA: pr.head.sha, updatedAt: pr.updated_at, details, pauseMs, readAt: clock.now() });
    },
    forget(revisionID) {
      entries.delete(revisionID);
      versions.set(revisionID, versionOf(revisionID) + 1);
    },
    retain(open) {
      const ids = new Set(open.map((pr) => String(pr.number)));
      for (const id of entries.keys()) if (!ids.has(id)) entries.delete(id);
    },
  };
}

/** Success rarely changes. Failure is re-run by people, and the first check of a new head can take a while to show up. */
function pauses(pipeline: PipelineResult | null): { firstMs: number; mostMs: number } {
  if (pipeline === null) return { firstMs: 0, mostMs: 0 };
  if (pipeline.status === 'success') return { firstMs: 60_000, mostMs: 30 * 60_000 };
  const isRunning = pipeline.status === 'pending' && pipeline.checkCount > 0;
  return isRunning ? { firstMs: 0, mostMs: 0 } : { firstMs: 1_000, mostMs: 2 * 60_000 };
}
