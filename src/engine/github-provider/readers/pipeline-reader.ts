import { ProviderError } from '../../../domain/provider-error.ts';
import type { CheckRun, PipelineResult } from '../../../domain/revision.ts';
import type { Logger } from '../../ports.ts';
import { CheckRunListData, CombinedStatusData } from '../github-client/answers.ts';
import { derivePipelineStatus, mapCheckRun } from '../mapping/derive-pipeline-status.ts';
import type { RepositoryAccess } from '../repository-access.ts';

export interface PipelineReader {
  checkRuns(sha: string): Promise<CheckRun[]>;
  read(sha: string): Promise<{ pipeline: PipelineResult; checkRuns: CheckRun[] }>;
  /**
   * Null when CI cannot be read: it is not worth losing the revision. Only what concerns every call alike, the rate
   * limit and bad credentials, rejects.
   */
  readOrNull(sha: string): Promise<PipelineResult | null>;
}

export function createPipelineReader({ client, calls, at }: RepositoryAccess, logger?: Logger): PipelineReader {
  const checkRuns = async (sha: string) => {
    const listed = await calls.wrappedList(
      CheckRunListData,
      (page) => client.checks.listForRef({ ...at, ...page, ref: sha }),
      (page) => page.check_runs,
    );
    return listed.map(mapCheckRun);
  };

  const combinedStatus = async (sha: string): Promise<CombinedStatusData> => {
    // Every page repeats the state of them all.
    const statuses = await calls.wrappedList(
      CombinedStatusData,
      (page) => client.repos.getCombinedStatusForRef({ ...at, ...page, ref: sha }),
      (page) => page.statuses.map((status) => ({ ...status, combined: page.state })),
    );
    return { state: statuses[0]?.combined ?? 'pending', total_count: statuses.length, statuses };
  };

  const read = async (sha: string) => {
    const [combined, runs] = await Promise.all([combinedStatus(sha), checkRuns(sha)]);
    return { pipeline: derivePipelineStatus(combined, runs), checkRuns: runs };
  };

  return {
    checkRuns,
    read,
    async readOrNull(sha) {
      try {
        return (await read(sha)).pipeline;
      } catch (error) {
        const isGeneral =
          error instanceof ProviderError && ['rate-limited', 'away', 'unauthorized'].includes(error.kind);
        if (isGeneral) throw error;
        logger?.warn({ sha, error }, 'CI status could not be read');
        return null;
      }
    },
  };
}
