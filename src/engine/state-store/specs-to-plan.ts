import type { EngineState } from './engine-state.ts';

/**
 * The approved specs whose text differs from what was last planned: path -> blob SHA. Batch, deferral while a planner
 * runs and planning anew after a failure all follow from this one rule.
 */
export function specsToPlan(state: EngineState): Record<string, string> {
  const specs = [...state.specs.values()].filter(
    (spec) => spec.frontmatterStatus === 'approved' && state.lastPlannedSHAs.get(spec.filePath) !== spec.blobSHA,
  );
  specs.sort((a, b) => (a.filePath < b.filePath ? -1 : 1));
  return Object.fromEntries(specs.map((spec) => [spec.filePath, spec.blobSHA]));
}
