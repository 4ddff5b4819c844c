import { APIError } from './api.ts';
import type { Caller } from './authentication.ts';
import type { Forge } from './forge.ts';

const FOLDER = '.github/workflows';

/**
 * An app may not bring in workflow files without the permission to do so. They may be part of its commit if they
 * are just like those of a parent or of the default branch.
 */
export async function refuseWorkflowChange(forge: Forge, caller: Caller, commitSHA: string): Promise<void> {
  if (mayWrite(caller)) return;
  const folder = async (commit: string): Promise<string | null> =>
    (await forge.git.objects.info(`${commit}:${FOLDER}`))?.sha ?? null;
  const added = await folder(commitSHA);
  if (added === null) return;
  const parents = (await forge.git.readCommit(commitSHA))?.parents ?? [];
  const known = await Promise.all([...parents, `refs/heads/${forge.git.defaultBranch}`].map(folder));
  if (!known.includes(added)) throw refusal();
}

/** The same for a path that is written into a tree. */
export function refuseWorkflowPath(caller: Caller, path: string): void {
  const isWorkflow = path === '.github' || path === FOLDER || path.startsWith(`${FOLDER}/`);
  if (isWorkflow && !mayWrite(caller)) throw refusal();
}

const mayWrite = (caller: Caller): boolean => caller.kind === 'human' || caller.permissions.workflows === 'write';

const refusal = (): APIError => new APIError(403, 'Resource not accessible by integration');
