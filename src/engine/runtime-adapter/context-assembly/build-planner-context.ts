import { ProviderError } from '../../../domain/provider-error.ts';
import type { WorkItem } from '../../../domain/work-item.ts';
import type { PlannerStartParams, RuntimeAdapterDeps } from '../types.ts';
import { diffTexts } from './diff-texts.ts';
import { newest, oneLine, RANKS, renderPrompt, type Piece } from './prompt-document.ts';

/** The planner's prompt: the changed specs, as polled, and every work item there is. Rejects if a read fails. */
export async function buildPlannerContext(params: PlannerStartParams, deps: RuntimeAdapterDeps): Promise<string> {
  const [specs, workItems] = await Promise.all([
    mapInTurns(params.specPaths, (path) => specPieces(path, params.blobSHAs[path], deps)),
    existingWorkItemPieces(deps),
  ]);
  return renderPrompt([{ own: '## Changed Specs' }, ...specs.flat(), ...workItems]);
}

async function specPieces(path: string, blobSHA: string | undefined, deps: RuntimeAdapterDeps): Promise<Piece[]> {
  if (blobSHA === undefined) throw new Error(`The planner was started for ${path} without saying which version of it.`);
  const plannedSHA = deps.getState().lastPlannedSHAs.get(path);
  const text = await deps.specReader.getBlob(blobSHA);
  const content: Piece = { outside: text, rank: RANKS.task };
  if (plannedSHA === undefined) return [{ own: `### ${oneLine(path)} (added)` }, content];
  return [{ own: `### ${oneLine(path)} (modified)` }, content, ...(await diffPieces(plannedSHA, text, deps))];
}

async function diffPieces(plannedSHA: string, text: string, deps: RuntimeAdapterDeps): Promise<Piece[]> {
  try {
    const diff = await diffTexts(await deps.specReader.getBlob(plannedSHA), text);
    return diff === '' ? [] : [{ own: '#### Diff' }, { outside: diff, rank: RANKS.changes }];
  } catch (error) {
    // A forge drops what a rewritten history no longer holds. The spec must stay plannable all the same.
    if (!(error instanceof ProviderError && error.kind === 'not-found')) throw error;
    return [{ own: '#### Diff' }, { own: '[The version planned last no longer exists: compare with the work items.]' }];
  }
}

async function existingWorkItemPieces(deps: RuntimeAdapterDeps): Promise<Piece[]> {
  const all = [...deps.getState().workItems.values()].sort(byID);
  if (all.length === 0) return [];
  const { kept, note } = newest(all, 1000, 'work items');
  const listed = await mapInTurns(kept, async ({ id, title, status }): Promise<Piece[]> => {
    const body = await deps.workItemReader.getWorkItemBody(id);
    return [
      { own: `### WorkItem #${id} — ${oneLine(title)}\nStatus: ${status}` },
      { outside: body, rank: RANKS.background },
    ];
  });
  return [{ own: '## Existing Work Items' }, ...note, ...listed.flat()];
}

function byID(a: WorkItem, b: WorkItem): number {
  return a.id.localeCompare(b.id, 'en', { numeric: true });
}

const READS_AT_ONCE = 8;

/** Like Promise.all over map, with a bounded number of reads at once. */
async function mapInTurns<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await read(item);
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, worker));
  return results;
}
