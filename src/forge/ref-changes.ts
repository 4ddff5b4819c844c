import { z } from 'zod';
import { count } from './api.ts';
import { pullRow } from './answers/pull.ts';
import { timestamp } from './forge.ts';
import type { Forge } from './forge.ts';
import { closePull, recordMerge, touch } from './issue-changes.ts';
import { keep } from './identity.ts';

/**
 * Does what follows from a moved branch, once: pull requests from it count as changed (closed, if it is gone),
 * those into it that it now contains are merged, and CI starts. Call it with the writes locked.
 */
export async function branchMoved(forge: Forge, branch: string, sha: string | null, by: string): Promise<void> {
  const { store } = forge;
  const old = store.get(seenRow, 'SELECT sha FROM seen_refs WHERE ref = ?', branch)?.sha ?? null;
  if (old === sha) return;
  const open = `SELECT * FROM issue_entries WHERE is_pull AND state = 'open'`;
  for (const pull of store.all(pullRow, `${open} AND head_ref = ?`, branch)) {
    if (sha === null) {
      closePull(forge, pull.number, old, by);
    } else {
      const base = await forge.git.tip(pull.base_ref);
      if (base !== null) store.run('UPDATE pulls SET base_sha = ? WHERE number = ?', base, pull.number);
      touch(forge, pull.number);
    }
  }

  if (old !== null && sha !== null) await recordArrivals(forge, branch, old, sha, by);
  if (sha !== null) forge.ci.enqueue(sha);
  // Last, so that after a crash the rest is done again.
  if (sha === null) store.run('DELETE FROM seen_refs WHERE ref = ?', branch);
  else store.run('INSERT OR REPLACE INTO seen_refs VALUES (?, ?)', branch, sha);
  keep(store, 'pushed_at', timestamp(forge.now()));
}

/** Pull requests into the branch are merged if their heads have come with its new commits. */
async function recordArrivals(forge: Forge, branch: string, old: string, sha: string, by: string): Promise<void> {
  const waiting = `issue_entries JOIN seen_refs ON ref = head_ref WHERE is_pull AND state = 'open' AND base_ref = ?`;
  if (count(forge, `FROM ${waiting}`, branch) === 0) return;
  const arrived = JSON.stringify(await forge.git.commitsBetween(old, sha));
  const sql = `SELECT * FROM ${waiting} AND sha IN (SELECT value FROM json_each(?))`;
  for (const pull of forge.store.all(arrivedRow, sql, branch, arrived)) {
    recordMerge(forge, pull, { by, headSHA: pull.sha, baseSHA: old, commitSHA: sha });
  }
}

/** Finds what a push, or a start after a crash, has moved. The default branch comes last: it may contain the others. */
export async function noticeMovedBranches(forge: Forge, by: string): Promise<void> {
  const current = await forge.git.listBranches();
  const rows = forge.store.all(z.object({ ref: z.string(), sha: z.string() }), 'SELECT ref, sha FROM seen_refs');
  const seen = new Map(rows.map(({ ref, sha }) => [ref, sha]));
  for (const branch of seen.keys()) if (!current.has(branch)) await branchMoved(forge, branch, null, by);
  const moved = [...current].filter(([branch, sha]) => seen.get(branch) !== sha);
  const last = moved.findIndex(([branch]) => branch === forge.git.defaultBranch);
  if (last >= 0) moved.push(...moved.splice(last, 1));
  for (const [branch, sha] of moved) await branchMoved(forge, branch, sha, by);
}

const seenRow = z.object({ sha: z.string() });

const arrivedRow = pullRow.extend(seenRow.shape);
