import { randomUUID } from 'node:crypto';
import type { ImplementorStartParams } from '../../src/engine/ports.ts';

/** The first attempt of a run on the work item that the fixtures of runtime adapters know. */
export function implementorParams(fields: Partial<ImplementorStartParams> = {}): ImplementorStartParams {
  const sessionID = randomUUID();
  return {
    role: 'implementor',
    sessionID,
    attempt: 1,
    workItemID: '7',
    branchName: `issue-7-${sessionID.slice(0, 8)}`,
    start: { from: 'default-branch' },
    repair: null,
    ...fields,
  };
}
