/**
 * The hunk of a file's patch up to this line of the new file, which is how GitHub shows what a comment is about. Null
 * if the line is not part of the diff.
 */
export function hunkUpTo(patch: string, line: number): string | null {
  const lines = patch.split('\n');
  let next = Number.NaN;
  let hunkStart = 0;
  for (const [index, text] of lines.entries()) {
    const start = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text)?.[1];
    if (start !== undefined) {
      next = Number(start);
      hunkStart = index;
    } else if (!/^[-\\]/.test(text)) {
      if (next === line) return lines.slice(hunkStart, index + 1).join('\n');
      next += 1;
    }
  }
  return null;
}
