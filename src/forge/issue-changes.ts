import { z } from 'zod';
import { unprocessable } from './api.ts';
import { pullRow } from './answers/pull.ts';
import type { PullRow } from './answers/pull.ts';
import { closedIssues } from './closing-keywords.ts';
import { timestamp } from './forge.ts';
import type { Forge } from './forge.ts';
import { DEFAULT_BRANCH } from './git-repository.ts';

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

/** Closes an issue, or a pull request without merging it; its head is kept as it is now. */
export async function closeIssue(forge: Forge, number: number, by: string, reason: string): Promise<void> {
  const pull = findPull(forge, number);
  const head = pull === null ? null : await forge.git.tip(pull.head_ref);
  forge.store.transaction(() => {
    if (head !== null) forge.store.run('UPDATE pulls SET final_head_sha = ? WHERE number = ?', head, number);
    setClosed(forge, number, by, pull === null ? reason : null);
  });
}

export async function reopenIssue(forge: Forge, number: number): Promise<void> {
  const pull = findPull(forge, number);
  if (pull !== null) {
    const isLost = pull.merged_at !== null || (await forge.git.tip(pull.head_ref)) === null;
    if (isLost) throw unprocessable('state cannot be changed. The pull request cannot be reopened.');
  }
  forge.store.transaction(() => {
    forge.store.run('UPDATE pulls SET final_head_sha = NULL WHERE number = ?', number);
    const reason = pull === null ? 'reopened' : null;
    const sql = `UPDATE issues SET state = 'open', state_reason = ?, closed_at = NULL, closed_by = NULL WHERE number = ?`;
    forge.store.run(sql, reason, number);
    touch(forge, number);
  });
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
    if (pull.base_ref !== DEFAULT_BRANCH) return;
    const { owner, repo } = forge.identity;
    for (const number of closedIssues(pull.body ?? '', `${owner}/${repo}`)) {
      const isOpenIssue = forge.store.get(
        z.object({}),
        `SELECT 1 FROM issue_entries WHERE number = ? AND state = 'open' AND NOT is_pull`,
        number,
      );
      if (isOpenIssue !== null) setClosed(forge, number, merge.by, 'completed');
    }
  });
}

function setClosed(forge: Forge, number: number, by: string, reason: string | null): void {
  const now = timestamp(forge.now());
  const sql = `UPDATE issues SET state = 'closed', state_reason = ?, closed_at = ?, closed_by = ?, updated_at = ? WHERE number = ?`;
  forge.store.run(sql, reason, now, by, now, number);
}
