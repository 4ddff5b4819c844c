import { fence } from './fence.ts';

/** Adds to a prompt what is left of a merge. It is known only once the workspace is there. */
export function withConflicts(prompt: string, conflicts: readonly string[]): string {
  if (conflicts.length === 0) return prompt;
  return [prompt, '### Left to Settle', WHAT_TO_DO, fence(conflicts.join('\n'))].join('\n\n');
}

const WHAT_TO_DO =
  'Git could not merge these files. Text files hold conflict markers: resolve every one of them. A name that ends in ' +
  '`~<commit>` is one version of a file that cannot hold markers (it is binary, a link, or one side deleted it); its own ' +
  'place is empty. For each such file decide what is right: move a version into place with `git mv`, or leave it deleted; ' +
  'then remove the versions that are left with `git rm -f`. As long as a marker or such a version is there, your work is ' +
  'not accepted.';
