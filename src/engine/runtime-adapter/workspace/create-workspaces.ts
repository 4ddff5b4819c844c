import { processEnvironment } from '../../../config/process-environment.ts';
import type { AgentStartParams } from '../../ports.ts';
import type { RuntimeAdapterConfig, RuntimeAdapterDeps } from '../types.ts';
import { SESSION_VARIABLE } from '../session/end-session-processes.ts';
import { agentEnvironment, withoutLogin } from '../guards/agent-environment.ts';
import { createDecreeClone } from './decree-clone.ts';
import { extractPatch } from './extract-patch.ts';
import { findStart } from './find-start.ts';
import { createLeftovers } from './leftovers.ts';
import type { MergedIn } from './merge-in.ts';
import { conflictsIn, mergeIn, unresolvedConflicts } from './merge-in.ts';
import { isFolder } from './path-exists.ts';
import { placeFor, worktreesFolder } from './place.ts';
import type { WorktreePlace } from './place.ts';
import { recordSetUp } from './record-tree.ts';
import { saveWork } from './save-work.ts';
import { setUp } from './set-up.ts';
import type { Workspace, Workspaces } from './workspace.ts';
import type { Worktree } from './worktree.ts';
import { addWorktree, headOf, removeWorktree } from './worktree.ts';

/** The words to put before a command in a folder, so that it runs in a sandbox; none to run it as it is. May throw. */
export type CommandLauncher = (place: {
  readonly folder: string;
  /** See `Worktree`; null if the command commits nothing. */
  readonly adminFolder: string | null;
}) => readonly string[];

/** Worktrees of decree's own clone, at `.worktrees/<branchName>` in the user's checkout. */
export function createWorkspaces(
  config: RuntimeAdapterConfig,
  deps: Pick<RuntimeAdapterDeps, 'gitAccess' | 'clock' | 'logger'>,
  launcherFor: CommandLauncher = () => [],
): Workspaces {
  const clone = createDecreeClone(config.repoRoot, deps.gitAccess, undefined, () => deps.clock.now());
  const top = worktreesFolder(config.repoRoot);
  const leftovers = createLeftovers(clone, top, deps);
  const inUse = new Set<string>();

  async function open(params: AgentStartParams, signal: AbortSignal): Promise<Workspace> {
    const place = placeFor(params, config);
    if (place.kind === 'root') return rootWorkspace(config.repoRoot);
    claim(place.folder);
    try {
      const worktree = await makeWorktree(params.sessionID, place, signal);
      return await openWorktree(worktree, place, needsMerge(params), signal);
    } catch (error) {
      inUse.delete(place.folder);
      throw error;
    }
  }

  function claim(folder: string): void {
    const other = [...inUse].find((used) => `${used}/`.startsWith(`${folder}/`) || `${folder}/`.startsWith(`${used}/`));
    if (other !== undefined) throw new Error(`another run works in ${other}: wait for it to end, or cancel it`);
    inUse.add(folder);
  }

  async function makeWorktree(sessionID: string, place: WorktreePlace, signal: AbortSignal): Promise<Worktree> {
    await clone.prepare();
    await clone.tidyUp();
    const start = await findStart(clone, place.start, signal);
    return clone.oneAtATime(async () => {
      signal.throwIfAborted();
      await leftovers.clear(place.folder);
      return addWorktree(clone, top, { sessionID, start, folder: place.folder, branch: place.branch }, signal);
    });
  }

  async function openWorktree(
    worktree: Worktree,
    place: WorktreePlace,
    isMerging: boolean,
    signal: AbortSignal,
  ): Promise<Workspace> {
    try {
      const mergedIn = isMerging ? await mergeIn(clone, worktree, config.defaultBranch, signal) : null;
      const environment = { ...withoutLogin(agentEnvironmentOf(config)), [SESSION_VARIABLE]: worktree.sessionID };
      const options = { folder: place.folder, command: config.setupCommand, environment, signal };
      const isSetUp = place.needsSetUp && (await setUp({ ...options, launcher: launcherFor(worktree) }));
      if (isSetUp) await clone.prepare();
      const start = mergedIn === null ? worktree.start : { commit: worktree.start.commit, tree: mergedIn.tree };
      return worktreeWorkspace(worktree, await recordSetUp(clone, { ...worktree, start }, isSetUp, signal), mergedIn);
    } catch (error) {
      await remove(worktree, { keepBranch: false }).catch((reason: unknown) => {
        deps.logger.error({ err: reason, folder: worktree.folder }, 'worktree of a failed start could not be removed');
      });
      throw error;
    }
  }

  function worktreeWorkspace(worktree: Worktree, setUpTree: string, mergedIn: MergedIn | null): Workspace {
    const { folder, indexFile, start } = worktree;
    return {
      folder,
      conflicts: mergedIn === null ? [] : conflictsIn(mergedIn),
      extract: async (signal) => {
        await clone.prepare();
        // A link in its place would publish whatever it leads to.
        if (!(await isFolder(folder))) throw new Error(`${folder} is not the folder any more that the agent was given`);
        const unresolved = mergedIn === null ? [] : await unresolvedConflicts(folder, mergedIn);
        if (unresolved.length > 0) {
          throw new Error(`the implementor left conflicts unresolved in ${unresolved.join(', ')}`);
        }
        return extractPatch(clone, { folder, indexFile, start, setUpTree, mergedIn }, signal);
      },
      close: async (options) => {
        try {
          await clone.prepare();
          const ref = runRef(worktree.sessionID);
          const head = options.saveWork ? await headOf(clone, worktree.adminFolder) : null;
          const work = { folder, ref, head, start: { commit: start.commit, tree: setUpTree }, indexFile };
          const savedRef = options.saveWork ? await saveWork(clone, work) : null;
          await remove(worktree, { keepBranch: config.keepBranches ?? false });
          return savedRef;
        } catch (error) {
          leftovers.abandon(folder);
          throw error;
        } finally {
          inUse.delete(folder);
        }
      },
    };
  }

  async function remove(worktree: Worktree, options: { keepBranch: boolean }): Promise<void> {
    await clone.oneAtATime(() => removeWorktree(clone, top, worktree, options));
  }

  async function takeOver(sessionID: string): Promise<string | null> {
    await clone.prepare();
    await clone.oneAtATime(() => leftovers.sweep());
    const ref = runRef(sessionID);
    return (await clone.resolve(ref)) === null ? null : ref;
  }

  return { open, takeOver };
}

/** Work on a revision that collided with other work goes on with the default branch merged in. */
function needsMerge(params: AgentStartParams): boolean {
  return params.role === 'implementor' && params.start.from === 'revision' && params.repair !== null;
}

/** Where the unfinished work of a run is kept. */
function runRef(sessionID: string): string {
  return `refs/decree/runs/${sessionID}`;
}

/** The user's checkout is the agent's to read; there is nothing to extract from it, to save or to remove. */
function rootWorkspace(folder: string): Workspace {
  return { folder, conflicts: [], extract: async () => null, close: async () => null };
}

/** The environment of what runs on an agent's behalf. */
export function agentEnvironmentOf(
  config: Pick<RuntimeAdapterConfig, 'agentEnvironment'>,
): Readonly<Record<string, string>> {
  return config.agentEnvironment?.() ?? agentEnvironment(processEnvironment());
}
