import type { SpecTree } from '../../domain/spec.ts';
import type { SpecProviderReader } from '../ports.ts';
import type { EngineState } from '../state-store/engine-state.ts';
import type { PollTarget } from './poll-target.ts';

/** Reads the specs of the default branch and reports, in one event, those that changed. */
export async function pollSpecs(reader: SpecProviderReader, { state, enqueue }: PollTarget): Promise<void> {
  const tree = await reader.readSpecTree();
  const { changed, gone } = compareSpecs(state(), tree);
  if (changed.length + gone.length > 0) await enqueue({ type: 'specsSeen', commitSHA: tree.commitSHA, changed, gone });
}

function compareSpecs(state: EngineState, { specs }: SpecTree) {
  const paths = new Set(specs.map((spec) => spec.filePath));
  return {
    changed: specs.filter(({ filePath, blobSHA }) => state.specs.get(filePath)?.blobSHA !== blobSHA),
    gone: [...state.specs.keys()].filter((path) => !paths.has(path)).sort(),
  };
}
