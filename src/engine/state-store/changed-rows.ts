import type { Effort } from '../../domain/effort.ts';
import type { Plan } from '../../domain/plan.ts';
import type { Run } from '../../domain/run.ts';
import type { EngineState } from './engine-state.ts';

/** A row that the journal owns. A null value means that it is deleted. Rows of `runs` are never deleted. */
export type RowChange =
  | { readonly table: 'runs'; readonly id: string; readonly row: Run }
  | { readonly table: 'plans'; readonly id: string; readonly row: Plan | null }
  | { readonly table: 'planned'; readonly id: string; readonly row: string | null }
  | { readonly table: 'efforts'; readonly id: string; readonly row: Effort | null };

/** What the journal must store so that a restart finds the same engine-owned state. Costs only what changed. */
export function changedRows(before: EngineState, after: EngineState): RowChange[] {
  const rows: RowChange[] = [];
  for (const { key, after: row } of after.runs.changesSince(before.runs)) {
    if (row) rows.push({ table: 'runs', id: key, row });
  }
  for (const { after: row } of after.lastRuns.changesSince(before.lastRuns)) {
    if (row) rows.push({ table: 'runs', id: row.sessionID, row });
  }
  for (const { key, after: row } of after.plans.changesSince(before.plans)) {
    rows.push({ table: 'plans', id: key, row: row ?? null });
  }
  for (const { key, after: row } of after.lastPlannedSHAs.changesSince(before.lastPlannedSHAs)) {
    rows.push({ table: 'planned', id: key, row: row ?? null });
  }
  for (const { key, after: row } of after.efforts.changesSince(before.efforts)) {
    rows.push({ table: 'efforts', id: key, row: row ?? null });
  }
  return rows;
}
