/**
 * The lines of a file's new side that its diff shows, added or unchanged: the only ones on which GitHub takes a review
 * comment. `patch` is a file's diff as GitHub lists it, hunks only.
 */
export function commentableLines(patch: string): Set<number> {
  const lines = new Set<number>();
  let next: number | null = null;
  for (const line of patch.split('\n')) {
    const start = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line)?.[1];
    if (start !== undefined) {
      next = Number(start);
    } else if (next !== null && (line.startsWith('+') || line.startsWith(' '))) {
      lines.add(next);
      next += 1;
    }
  }
  return lines;
}
