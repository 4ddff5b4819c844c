/**
 * Where a line stands in a file's patch: its position, counted as GitHub counts it from the first hunk's header,
 * and the hunk up to it. Null if the line is not part of the diff. `LEFT` numbers are those of the old file.
 */
export function locateLine(
  patch: string,
  side: 'LEFT' | 'RIGHT',
  line: number,
): { position: number; hunk: string } | null {
  const otherSign = side === 'RIGHT' ? '-' : '+';
  const lines = patch.split('\n');
  let next = Number.NaN;
  let hunkStart = 0;
  for (const [position, text] of lines.entries()) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (header !== null) {
      next = Number(side === 'RIGHT' ? header[2] : header[1]);
      hunkStart = position;
    } else if (!text.startsWith(otherSign) && !text.startsWith('\\')) {
      if (next === line) return { position, hunk: lines.slice(hunkStart, position + 1).join('\n') };
      next += 1;
    }
  }
  return null;
}
