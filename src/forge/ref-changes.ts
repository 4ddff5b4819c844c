import { z } from 'zod';
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
  if (sha === null) store.run('DELETE FROM seen_refs WHERE ref = ?', branch);
  else store.run('INSERT OR REPLACE INTO seen_refs VALUES (?, ?)', branch, sha);
  keep(store, 'pushed_at', timestamp(forge.now()));

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

  const into = store.all(pullRow, `${open} AND base_ref = ?`, branch);
  if (into.length > 0 && old !== null && sha !== null) {
    const arrived = new Set(await forge.git.commitsBetween(old, sha));
    for (const pull of into) {
      const headSHA = await forge.git.tip(pull.head_ref);
      if (headSHA === null || !arrived.has(headSHA)) continue;
      recordMerge(forge, pull, { by, headSHA, baseSHA: old, commitSHA: sha });
    }
  }
  if (sha !== null) forge.ci.enqueue(sha);
}

/** Finds what a push, or a start after a crash, has moved. */
export async function noticeMovedBranches(forge: Forge, by: string): Promise<void> {
  const current = await forge.git.listBranches();
  const rows = forge.store.all(z.object({ ref: z.string(), sha: z.string() }), 'SELECT ref, sha FROM seen_refs');
  const seen = new Map(rows.map(({ ref, sha }) => [ref, sha]));
  for (const branch of seen.keys()) if (!current.has(branch)) await branchMoved(forge, branch, null, by);
  for (const [branch, sha] of current) if (seen.get(branch) !== sha) await branchMoved(forge, branch, sha, by);
}

const seenRow = z.object({ sha: z.string() });
