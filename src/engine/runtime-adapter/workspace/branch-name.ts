/**
 * Branch names become paths (`.worktrees/<branchName>`) and git arguments, and they may come from the forge. Only what
 * git itself accepts as a branch passes: that rules out `..`, hidden components, a leading dash and absolute paths.
 */
export function checkBranchName(name: string): void {
  const problem = problemWith(name);
  if (problem !== null) throw new Error(`"${name}" cannot be used as a branch name: ${problem}`);
}

export function isBranchName(name: string): boolean {
  return problemWith(name) === null;
}

function problemWith(name: string): string | null {
  if (name === '' || name === '@' || name === 'HEAD') return 'git reserves it';
  if (Buffer.byteLength(name) > MAX_BYTES) return `it is longer than ${MAX_BYTES} bytes`;
  if (name.startsWith('-')) return 'it begins with a dash';
  if (/[\p{Cc} ~^:?*[\\]/u.test(name)) return 'it contains a character that git refuses';
  if (name.includes('..') || name.includes('@{')) return 'it contains ".." or "@{"';
  if (name.endsWith('.')) return 'it ends with a dot';
  for (const part of name.split('/')) {
    if (part === '') return 'it has an empty part between slashes';
    if (part.startsWith('.') || part.endsWith('.lock')) return `git refuses its part "${part}"`;
  }
  return null;
}

const MAX_BYTES = 200;
