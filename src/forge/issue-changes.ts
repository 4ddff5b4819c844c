import { count, unprocessable } from './api.ts';
import type { IssueRow } from './answers/issue.ts';
import { pullRow } from './answers/pull.ts';
import type { PullRow } from './answers/pull.ts';
import { closingReferences } from '../domain/closing-references.ts';
import { timestamp } from './forge.ts';
import type { Forge } from './forge.ts';

/** Marks an issue or pull request as changed now. */
export function touch(forge: Forge, number: number): void {
  forge.store.run('UPDATE issues SET updated_at = ? WHERE number = ?', timestamp(forge.now()), number);
}

/** Unknown labels come into being, as on GitHub. */
export function addLabels(forge: Forge, number: number, names: readonly string[]): void {
  for (const name of names) {
    forge.store.run('INSERT OR IGNORE INTO labels (name) VALUES (?)', name);
    forge.store.run('INSERT OR IGNORE INTO issue_labels SELECT ?, id FROM labels WHERE name = ?', number, name);
  }
}

export function setLabels(forge: Forge, number: number, names: readonly string[]): void {
  forge.store.run('DELETE FROM issue_labels WHERE number = ?', number);
  addLabels(forge, number, names);
}

export function findPull(forge: Forge, number: number): PullRow | null {
  return forge.store.get(pullRow, 'SELECT * FROM issue_entries WHERE is_pull AND number = ?', number);
}

/**
 * Opens or closes an issue or pull request, or does nothing if that is its state. What needs waiting is done now; the
 * returned function only writes, so that the caller can do everything in one transaction.
 */
export async function prepareState(
  forge: Forge,
  row: IssueRow,
  wish: { state?: 'open' | 'closed' | undefined; state_reason?: string | null | undefined },
  by: string,
): Promise<() => void> {
  const pull = findPull(forge, row.number);
  if (wish.state === 'open' && row.state === 'closed') {
    const isLost = pull !== null && (pull.merged_at !== null || (await forge.git.tip(pull.head_ref)) === null);
    if (isLost) throw unprocessable('state cannot be changed. The pull request cannot be reopened.');
    return () => setOpen(forge, row.number, pull === null ? 'reopened' : null);
  }
  if (wish.state === 'closed' && row.state === 'open') {
    const head = pull === null ? null : await forge.git.tip(pull.head_ref);
    if (head !== null) return () => closePull(forge, row.number, head, by);
    return () => setClosed(forge, row.number, by, wish.state_reason ?? 'completed');
  }
  return () => undefined;
}

/** Closes a pull request without merging it. Its head is kept as it is. */
export function closePull(forge: Forge, number: number, headSHA: string | null, by: string): void {
  forge.store.run('UPDATE pulls SET final_head_sha = ? WHERE number = ?', headSHA, number);
  setClosed(forge, number, by, null);
}

/** Closes a pull request as merged, and the issues that it says it closes if it went to the default branch. */
export function recordMerge(
  forge: Forge,
  pull: PullRow,
  merge: { by: string; headSHA: string; baseSHA: string; commitSHA: string },
): void {
  forge.store.transaction(() => {
    forge.store.run(
      'UPDATE pulls SET merged_at = ?, merged_by = ?, merge_commit_sha = ?, final_head_sha = ?, base_sha = ? WHERE number = ?',
      timestamp(forge.now()),
      merge.by,
      merge.commitSHA,
      merge.headSHA,
      merge.baseSHA,
      pull.number,
    );
    setClosed(forge, pull.number, merge.by, null);
    if (pull.base_ref !== forge.git.defaultBranch) return;
    for (const { repository, number } of closingReferences(pull.body ?? '')) {
      if (!isOwn(forge, repository)) continue;
      const openIssue = `FROM issue_entries WHERE number = ? AND state = 'open' AND NOT is_pull`;
      if (count(forge, openIssue, number) > 0) setClosed(forge, number, merge.by, 'completed');
    }
  });
}

function isOwn({ identity }: Forge, repository: string | null): boolean {
  return repository === null || repository.toLowerCase() === `${identity.owner}/${identity.repo}`.toLowerCase();
}

function setClosed(forge: Forge, number: number, by: string, reason: string | null): void {
  const now = timestamp(forge.now());
  const sql = `UPDATE issues SET state = 'closed', state_reason = ?, closed_at = ?, closed_by = ?, updated_at = ? WHERE number = ?`;
  forge.store.run(sql, reason, now, by, now, number);
}

function setOpen(forge: Forge, number: number, reason: string | null): void {
  forge.store.run('UPDATE pulls SET final_head_sha = NULL WHERE number = ?', number);
  const sql = `UPDATE issues SET state = 'open', state_reason = ?, closed_at = NULL, closed_by = NULL WHERE number = ?`;
  forge.store.run(sql, reason, number);
}
