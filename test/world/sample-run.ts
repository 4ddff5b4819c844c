import type { Run } from '../../src/domain/run.ts';

/** A run of an implementor on #7 that has just begun. */
export function sampleRun(fields: Partial<Run> = {}): Run {
  const start = { from: 'default-branch' } as const;
  return {
    sessionID: 's',
    subject: { role: 'implementor', workItemID: '7', branchName: 'b', start, repair: null },
    attempt: 1,
    rank: 3,
    status: 'running',
    requestedAt: 5,
    startedAt: 6,
    endedAt: null,
    model: null,
    statusBefore: 'ready',
    reservedUSD: 5,
    usage: null,
    logFilePath: null,
    failure: null,
    savedRef: null,
    ...fields,
  };
}
