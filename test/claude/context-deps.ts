import type { CheckRun, ReviewHistory, Revision, RevisionFile } from '../../src/domain/revision.ts';
import { ProviderError } from '../../src/domain/provider-error.ts';
import type { WorkItem } from '../../src/domain/work-item.ts';
import type { RuntimeAdapterDeps } from '../../src/engine/runtime-adapter/types.ts';

/** A small forge and engine state in memory, for tests of what goes into prompts. */
export interface ContextFixture {
  readonly workItems?: readonly WorkItem[];
  readonly bodies?: Readonly<Record<string, string>>;
  readonly revisions?: readonly Revision[];
  readonly files?: readonly RevisionFile[];
  readonly history?: Partial<ReviewHistory>;
  readonly checks?: readonly CheckRun[];
  readonly blobs?: Readonly<Record<string, string>>;
  readonly plannedSHAs?: Readonly<Record<string, string>>;
}

/** `calls` lists what was read, to tell what was not. */
export function contextDeps(fixture: ContextFixture): { deps: RuntimeAdapterDeps; calls: string[] } {
  const calls: string[] = [];
  const find = async <T>(call: string, value: T | undefined): Promise<T> => {
    calls.push(call);
    if (value === undefined) throw new ProviderError('not-found', `${call}: there is none`);
    return value;
  };
  const unused = async (): Promise<never> => {
    throw new Error('not part of any prompt');
  };
  const byID = <T extends { readonly id: string }>(all: readonly T[] = []) => new Map(all.map((one) => [one.id, one]));
  const deps: RuntimeAdapterDeps = {
    workItemReader: {
      listWorkItems: unused,
      getWorkItem: unused,
      getWorkItemBody: (id) => find(`body ${id}`, fixture.bodies?.[id]),
    },
    revisionReader: {
      listRevisions: unused,
      getRevision: unused,
      getRevisionFiles: (id) => find(`files ${id}`, fixture.files && [...fixture.files]),
      getReviewHistory: unused,
      getCheckRuns: (id) => find(`checks ${id}`, fixture.checks && [...fixture.checks]),
    },
    specReader: {
      listSpecs: unused,
      readSpecTree: unused,
      getDefaultHead: unused,
      getBlob: (sha) => find(`blob ${sha}`, fixture.blobs?.[sha]),
    },
    getReviewHistory: (id) =>
      find(`history ${id}`, fixture.history && { reviews: [], inlineComments: [], comments: [], ...fixture.history }),
    getState: () => ({
      workItems: byID(fixture.workItems),
      revisions: byID(fixture.revisions),
      lastPlannedSHAs: new Map(Object.entries(fixture.plannedSHAs ?? {})),
    }),
    gitAccess: unused,
    clock: { now: () => 0, after: () => () => undefined },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  };
  return { deps, calls };
}

export function revision(fields: Partial<Revision> = {}): Revision {
  return {
    id: '9',
    title: 'Login form',
    url: 'https://forge.test/pull/9',
    headSHA: 'a'.repeat(40),
    headRef: 'issue-7-1',
    author: 'decree[bot]',
    body: '',
    isDraft: false,
    state: 'open',
    workItemID: '7',
    pipeline: null,
    reviewID: null,
    isMergeable: null,
    ...fields,
  };
}
