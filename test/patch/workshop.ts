import { PatchError } from '../../src/domain/provider-error.ts';
import type { Revision } from '../../src/domain/revision.ts';
import type { CreateFromPatchOptions } from '../../src/engine/ports.ts';
import { writeSnapshot, type PublishingWorld } from './publishing-world.ts';
import type { Snapshot } from './random-repository.ts';

export type Files = Readonly<Record<string, string | Buffer>>;

/** Something to publish. */
export interface Work {
  readonly patch: string;
  readonly base: string;
  readonly exact: { readonly baseSHA: string; readonly treeSHA: string };
}

export function snapshot(files: Files): Snapshot {
  return new Map(
    Object.entries(files).map(([path, content]) => [path, { mode: '100644', content: Buffer.from(content) }]),
  );
}

/** Short words for tests that publish small patches. */
export function createWorkshop(world: PublishingWorld) {
  const requests = () => world.forge.proxy.requests.map(({ method, path }) => `${method} ${path}`);

  const startOn = async (files: Files): Promise<string> => {
    const base = await world.commit(snapshot(files), null);
    await world.push({ main: base });
    return base;
  };

  const workOn = async (base: string, after: Files): Promise<Work> => {
    const commit = await world.commit(snapshot(after), base);
    const treeSHA = await world.git('rev-parse', `${commit}^{tree}`);
    return { patch: await world.diff(base, commit), base, exact: { baseSHA: base, treeSHA } };
  };

  return {
    workOn,
    /** Puts files on the default branch and changes them. */
    work: async (before: Files, after: Files): Promise<Work> => workOn(await startOn(before), after),
    /** The same in a worktree, so that decree's clone knows the result. */
    workInWorktree: async (before: Files, after: Files): Promise<Work> => {
      const base = await startOn(before);
      const worktree = await world.openWorktree(base);
      await writeSnapshot(worktree.folder, snapshot(after));
      const artifact = await world.extract(worktree);
      await world.closeWorktree(worktree);
      if (artifact === null) throw new Error('Nothing was changed.');
      const { patch, ...exact } = artifact;
      return { patch, base, exact };
    },
    publish: ({ patch }: Work, branch: string, options?: CreateFromPatchOptions): Promise<Revision> =>
      world.writer.createFromPatch(world.workItemID, patch, branch, options),
    requests,
    /** Requests that could have changed something, signing in aside. */
    writes: () => requests().filter((request) => !/^GET |\/access_tokens$/.test(request)),
    tip: (branch: string) => world.git('rev-parse', `refs/remotes/origin/${branch}`),
    log: (format: string, commit: string) => world.git('log', '-1', `--format=${format}`, commit),
    /** What a pull request shows: the difference to where its branch left the default branch. */
    shown: async (branch: string): Promise<string> => {
      await world.pull();
      const range = `refs/remotes/origin/main...refs/remotes/origin/${branch}`;
      return world.git('diff', '--raw', '--abbrev=40', '--no-renames', range);
    },
  };
}

export type Workshop = ReturnType<typeof createWorkshop>;

export async function failureOf(publishing: Promise<unknown>): Promise<PatchError> {
  const error = await publishing.catch((caught: unknown) => caught);
  if (error instanceof PatchError) return error;
  throw new Error('A PatchError was expected.', { cause: error });
}
