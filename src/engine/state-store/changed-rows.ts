import type { RowChange } from '../journal-port.ts';
import type { EngineState } from './engine-state.ts';

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
  for (const { key, after: row } of after.spend.changesSince(before.spend)) {
    if (row !== undefined) rows.push({ table: 'spend', id: key, row });
  }
  return rows;
}
