import type { StatementSync } from 'node:sqlite';
import type { Retention } from '../engine/journal-port.ts';
import { decode } from './rows.ts';

/** So much is deleted in one transaction, so that events never wait long for it. */
const EVENTS_AT_ONCE = 1_000;
const RESULTS_AT_ONCE = 50;

/** The work of `Journal.prune`, inside a transaction. True: there is more to do. */
export function pruneRows(
  sql: (text: string) => StatementSync,
  { snapshots, events, resultsSince }: Retention,
): boolean {
  sql('DELETE FROM snapshots WHERE seq NOT IN (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT ?)').run(snapshots);
  const cut = decode.count(
    sql(`SELECT coalesce(min((SELECT min(seq) FROM snapshots), (SELECT max(seq) FROM events) - ?), 0) AS n`).get(
      events,
    ),
  );
  const here = decode.count(
    sql(`SELECT coalesce(max(seq), 0) AS n FROM (SELECT seq FROM events WHERE seq <= ? ORDER BY seq LIMIT ?)`).get(
      cut,
      EVENTS_AT_ONCE,
    ),
  );
  // An open command outlives its event; it goes when it is settled.
  const upTo = here === 0 ? cut : here;
  const settled = `FROM commands WHERE seq <= ? AND settled_by IS NOT NULL`;
  sql(`DELETE FROM steps WHERE command IN (SELECT key ${settled})`).run(upTo);
  sql(`DELETE ${settled}`).run(upTo);
  const deleted = sql('DELETE FROM events WHERE seq <= ?').run(here).changes;
  const results = sql(`DELETE FROM results WHERE session_id IN (
      SELECT session_id FROM results JOIN runs USING (session_id)
      WHERE is_finished = 1 AND ended_at < ? AND session_id NOT IN (
        SELECT json_extract(body, '$.sessionID') FROM commands
        WHERE settled_by IS NULL AND json_extract(body, '$.sessionID') IS NOT NULL)
      LIMIT ?)`).run(resultsSince, RESULTS_AT_ONCE).changes;
  return deleted === EVENTS_AT_ONCE || results === RESULTS_AT_ONCE;
}
