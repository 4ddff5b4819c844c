const MAX_NAMED = 10;

/** Paths for a message: the first ten, and how many there are besides. */
export function namePaths(paths: readonly string[]): string {
  const named = paths.slice(0, MAX_NAMED).join(', ');
  return paths.length > MAX_NAMED ? `${named} and ${paths.length - MAX_NAMED} more` : named;
}
