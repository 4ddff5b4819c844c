/** An answer as it is kept: parsed, and without what nobody reads. */
export interface SlimAnswer {
  readonly data: unknown;
  /** About how many bytes it takes. */
  readonly size: number;
}

const NODE_SIZE = 24;

/**
 * Drops GitHub's links: they are most of an answer, a hundred pull requests come with two megabytes of them, and
 * decree calls by number. Only pages for people and of checks are kept.
 */
export function slimAnswer(data: unknown): SlimAnswer {
  if (typeof data === 'string') return { data, size: NODE_SIZE + data.length };
  if (typeof data !== 'object' || data === null) return { data, size: NODE_SIZE };
  if (Array.isArray(data)) {
    const slim = data.map((element) => slimAnswer(element));
    return { data: slim.map((element) => element.data), size: sum(slim) };
  }
  const slim = Object.entries(data)
    .filter(([name]) => !isLink(name))
    .map(([name, value]): [string, SlimAnswer] => [name, slimAnswer(value)]);
  return {
    data: Object.fromEntries(slim.map(([name, value]) => [name, value.data])),
    size: sum(slim.map(([, value]) => value)),
  };
}

const READ_LINKS: ReadonlySet<string> = new Set(['html_url', 'details_url', 'target_url']);

function isLink(name: string): boolean {
  return name === '_links' || name === 'node_id' || (/(?:^|_)url$/.test(name) && !READ_LINKS.has(name));
}

function sum(parts: readonly SlimAnswer[]): number {
  return parts.reduce((total, { size }) => total + size, NODE_SIZE);
}
