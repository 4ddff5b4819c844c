import { join } from 'node:path';
import type { AgentStartParams } from '../../ports.ts';
import type { RuntimeAdapterConfig } from '../types.ts';
import { checkBranchName } from './branch-name.ts';

/** Where a run works. */
export type Place = RootPlace | WorktreePlace;

/** The user's checkout, as it is. */
interface RootPlace {
  readonly kind: 'root';
}

/** A worktree of its own. */
export interface WorktreePlace {
  readonly kind: 'worktree';
  readonly folder: string;
  /** The branch to make or reset; null for a detached worktree. */
  readonly branch: string | null;
  readonly start: StartPoint;
  readonly needsSetUp: boolean;
}

/** A branch of the forge, as it is there now, or one commit. */
export type StartPoint = { readonly branch: string; readonly isDefault: boolean } | { readonly commit: string };

type PlaceConfig = Pick<RuntimeAdapterConfig, 'repoRoot' | 'defaultBranch' | 'reviewerWorkspace' | 'plannerWorkspace'>;

/** Throws if a branch name or session id could lead out of `.worktrees` or confuse git. */
export function placeFor(params: AgentStartParams, config: PlaceConfig): Place {
  checkBranchName(params.sessionID);
  switch (params.role) {
    case 'planner': {
      if (config.plannerWorkspace === 'root') return { kind: 'root' };
      const start = { commit: checkCommit(params.commitSHA) };
      return { ...worktreeAt(`planner-${params.sessionID}`, config), branch: null, start, needsSetUp: false };
    }
    case 'implementor': {
      const branch = params.branchName;
      const isDefault = params.start.from === 'default-branch';
      const start = {
        branch: params.start.from === 'revision' ? params.start.headRef : config.defaultBranch,
        isDefault,
      };
      checkBranchName(start.branch);
      return { ...worktreeAt(branch, config), branch, start, needsSetUp: true };
    }
    case 'reviewer': {
      if (config.reviewerWorkspace === 'root') return { kind: 'root' };
      const start = { branch: params.headRef, isDefault: false };
      return { ...worktreeAt(params.headRef, config), branch: null, start, needsSetUp: true };
    }
  }
}

export function worktreesFolder(repoRoot: string): string {
  return join(repoRoot, '.worktrees');
}

function worktreeAt(name: string, config: PlaceConfig): { kind: 'worktree'; folder: string } {
  checkBranchName(name);
  return { kind: 'worktree', folder: join(worktreesFolder(config.repoRoot), name) };
}

function checkCommit(sha: string): string {
  if (!/^[0-9a-f]{40,64}$/.test(sha)) throw new Error(`"${sha}" is not the id of a commit`);
  return sha;
}
