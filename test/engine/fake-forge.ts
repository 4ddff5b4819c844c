import type { AgentReview } from '../../src/domain/agent-result.ts';
import { PatchError, ProviderError } from '../../src/domain/provider-error.ts';
import type { Revision } from '../../src/domain/revision.ts';
import type { Spec } from '../../src/domain/spec.ts';
import type { Closure, WorkItem, WorkItemStatus } from '../../src/domain/work-item.ts';
import type { Provider } from '../../src/engine/ports.ts';
import type { EngineQueries } from '../../src/engine/query-port.ts';
import { sampleWorkItem } from '../world/sample-work-item.ts';

/** A forge in memory: what the engine's own tests talk to. It keeps every write, and can be told to misbehave. */
export interface FakeForge {
  readonly provider: Provider & { readonly queries: EngineQueries };
  readonly items: Map<string, WorkItem>;
  readonly revisions: Map<string, Revision>;
  readonly specs: Map<string, Spec>;
  /** Every writing call, in order. */
  readonly writes: string[];
  readonly comments: { readonly workItemID: string; readonly body: string }[];
  readonly reviews: { readonly revisionID: string; readonly review: AgentReview }[];
  /** Called before a write; throw to refuse it. `after` runs once it is applied: throw to lose the answer. */
  onWrite: (call: string, phase: 'before' | 'after') => void;
  /** Called after the items were listed and before the answer arrives: await something to make it old. */
  onListed: () => Promise<void>;
  addItem(details: Partial<WorkItem> & { id: string }): WorkItem;
  approveSpec(path: string, blobSHA: string): void;
  /** What a human does on the forge. */
  merge(workItemID: string): void;
  close(workItemID: string, closedAs: Closure): void;
}

export function createFakeForge(): FakeForge {
  const items = new Map<string, WorkItem>();
  const revisions = new Map<string, Revision>();
  const specs = new Map<string, Spec>();
  const keys = new Map<string, string>();
  const writes: string[] = [];
  const comments: { workItemID: string; body: string }[] = [];
  const reviews: { revisionID: string; review: AgentReview }[] = [];
  let lastID = 0;

  async function write<T>(call: string, apply: () => T): Promise<T> {
    forge.onWrite(call, 'before');
    const result = apply();
    writes.push(call);
    forge.onWrite(call, 'after');
    return result;
  }

  function change(id: string, details: Partial<WorkItem>): void {
    const item = items.get(id);
    if (item === undefined) throw new ProviderError('not-found', `There is no work item ${id}.`);
    items.set(id, { ...item, ...details });
  }

  function transition(id: string, status: WorkItemStatus): void {
    if (status === 'closed') change(id, { status, closedAs: 'completed', isTracked: false });
    else change(id, { status });
  }

  function revisionOf(workItemID: string): Revision | undefined {
    return [...revisions.values()].find((r) => r.workItemID === workItemID && r.state === 'open');
  }

  const forge: FakeForge = {
    items,
    revisions,
    specs,
    writes,
    comments,
    reviews,
    onWrite: () => {},
    onListed: async () => {},
    addItem: (details) => {
      lastID = Math.max(lastID, Number(details.id));
      const { id } = details;
      const item = sampleWorkItem({
        title: `item ${id}`,
        status: 'pending',
        contentDigest: `digest ${id}`,
        ...details,
      });
      items.set(item.id, item);
      return item;
    },
    approveSpec: (filePath, blobSHA) => specs.set(filePath, { filePath, blobSHA, frontmatterStatus: 'approved' }),
    merge: (workItemID) => {
      const revision = revisionOf(workItemID);
      if (revision === undefined) throw new Error(`work item ${workItemID} has no open revision to merge`);
      revisions.set(revision.id, { ...revision, state: 'merged' });
      forge.close(workItemID, 'completed');
    },
    close: (workItemID, closedAs) => change(workItemID, { closedAs, isTracked: false }),
    provider: {
      rateLimit: () => null,
      gitAccess: () => Promise.reject(new Error('the fake forge has no git')),
      queries: {
        getIssueDetails: unused,
        getPRForIssue: unused,
        getPRFiles: unused,
        getPRReviews: unused,
        getCIStatus: unused,
      },
      workItemReader: {
        listWorkItems: async () => {
          const listed = [...items.values()].filter((item) => item.isTracked);
          await forge.onListed();
          return listed;
        },
        getWorkItem: async (id) => items.get(id) ?? null,
        getWorkItemBody: async (id) => `body of ${id}`,
      },
      workItemWriter: {
        transitionStatus: (id, status) => write(`transitionStatus ${id} ${status}`, () => transition(id, status)),
        closeWorkItem: (id, closedAs) =>
          write(`closeWorkItem ${id} ${closedAs}`, () => change(id, { status: 'closed', closedAs, isTracked: false })),
        createWorkItem: (title, _body, _labels, blockedBy, options) =>
          write(`createWorkItem ${title}`, () => {
            const item = forge.addItem({ id: String(++lastID), title, blockedBy });
            if (options?.key !== undefined) keys.set(options.key, item.id);
            return item;
          }),
        findWorkItem: async (key) => items.get(keys.get(key) ?? '') ?? null,
        updateWorkItem: (id) => write(`updateWorkItem ${id}`, () => change(id, {})),
        postWorkItemComment: (workItemID, body, options) =>
          write(`postWorkItemComment ${workItemID}`, () => {
            comments.push({ workItemID, body });
            if (options?.key !== undefined) keys.set(`comment ${options.key}`, String(comments.length));
            return String(comments.length);
          }),
        findWorkItemComment: async (_workItemID, key) => keys.get(`comment ${key}`) ?? null,
      },
      revisionReader: {
        listRevisions: async () => [...revisions.values()].filter((revision) => revision.state === 'open'),
        getRevision: async (id) => revisions.get(id) ?? null,
        getRevisionFiles: async () => [],
        getReviewHistory: async () => ({ reviews: [], inlineComments: [], comments: [] }),
        getCheckRuns: async () => [],
      },
      revisionWriter: {
        createFromPatch: (workItemID, patch, branchName, options) =>
          write(`createFromPatch ${workItemID}`, () => {
            const known = revisionOf(workItemID);
            if (known === undefined && options?.isRevised === true) throw new PatchError('refused', 'it was closed');
            const id = known?.id ?? String(++lastID);
            const revision: Revision = {
              id,
              title: `revision of ${workItemID}`,
              url: `http://127.0.0.1/pull/${id}`,
              headSHA: `sha of ${patch}`,
              headRef: branchName,
              author: 'decree[bot]',
              body: `Closes #${workItemID}`,
              isDraft: false,
              state: 'open',
              workItemID,
              pipeline: { status: 'pending', url: null, reason: null, checkCount: 0 },
              reviewID: null,
              isMergeable: null,
            };
            revisions.set(id, revision);
            return revision;
          }),
        updateBody: () => write('updateBody', () => undefined),
        postReview: (revisionID, review, options) =>
          write(`postReview ${revisionID} ${review.verdict}`, () => {
            reviews.push({ revisionID, review });
            if (options?.key !== undefined) keys.set(`review ${options.key}`, String(reviews.length));
            return String(reviews.length);
          }),
        findReview: async (_revisionID, key) => keys.get(`review ${key}`) ?? null,
        updateReview: () => write('updateReview', () => ''),
        postComment: () => write('postComment', () => undefined),
        mergeRevision: (revisionID) =>
          write(`mergeRevision ${revisionID}`, () => forge.merge(revisions.get(revisionID)?.workItemID ?? '')),
      },
      specReader: {
        listSpecs: async () => [...specs.values()],
        readSpecTree: async () => ({ commitSHA: 'c0ffee', specs: [...specs.values()] }),
        getBlob: async (sha) => `text of ${sha}`,
        getDefaultHead: async () => 'c0ffee',
      },
    },
  };
  return forge;
}

function unused(): Promise<never> {
  return Promise.reject(new Error('the fake forge answers no queries'));
}
