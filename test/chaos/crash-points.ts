/** Where an engine is killed: around a call of its journal, a request to the forge, or a git command. */
export type CrashPoint =
  | {
      /** A call of the journal; a transaction each. */
      readonly kind: 'journal';
      readonly name: string;
      readonly nth: number;
      readonly when: 'before' | 'after';
    }
  | {
      /** `applied`: the forge has done it, the answer never comes. `after`: the answer has come. */
      readonly kind: 'forge';
      readonly name: string;
      readonly nth: number;
      readonly when: 'before' | 'applied' | 'after';
    }
  | {
      /** A git command of the engine on this machine; `after` is before the engine hears of its end. */
      readonly kind: 'git';
      readonly name: string;
      readonly nth: number;
      readonly when: 'before' | 'after';
    };

/** Everything that an undisturbed engine asked of the outside world, each in its order. */
export interface Seams {
  readonly journalCalls: readonly string[];
  readonly requests: readonly { readonly method: string; readonly path: string }[];
  readonly gitCommands: readonly string[];
}

/**
 * Every journal call, git command and write to the forge is a point of its own. Reads change nothing and come again with
 * every poll: of each kind of read, the first is one.
 */
export function crashPoints({ journalCalls, requests, gitCommands }: Seams): CrashPoint[] {
  const names = requests.map(({ method, path }) => requestName(method, path));
  return [
    ...numbered(journalCalls).flatMap(({ name, nth }) =>
      (['before', 'after'] as const).map((when) => ({ kind: 'journal' as const, name, nth, when })),
    ),
    ...numbered(names)
      .filter(({ name, nth }) => nth === 1 || isWrite(name))
      .flatMap(({ name, nth }) =>
        (['before', 'applied', 'after'] as const).map((when) => ({ kind: 'forge' as const, name, nth, when })),
      ),
    ...numbered(gitCommands).flatMap(({ name, nth }) =>
      (['before', 'after'] as const).map((when) => ({ kind: 'git' as const, name, nth, when })),
    ),
  ];
}

/** A request without what differs from run to run. */
export function requestName(method: string, path: string): string {
  const [route = ''] = path.split('?');
  const fixed = route
    .replaceAll(/\/[0-9a-f]{40}\b/g, '/*')
    .replaceAll(/issue-\d+-\d+/g, 'issue-*')
    .replace(/installations\/\d+/, 'installations/*');
  return `${method} ${fixed}`;
}

/** Git fetches by POST. */
function isWrite(name: string): boolean {
  return !name.startsWith('GET ') && !name.endsWith('/git-upload-pack') && !name.endsWith('/access_tokens');
}

export function describePoint({ kind, name, nth, when }: CrashPoint): string {
  return `${when} ${kind}: ${name} (${nth}.)`;
}

function numbered(names: readonly string[]): { name: string; nth: number }[] {
  const counts = new Map<string, number>();
  return names.map((name) => {
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    return { name, nth };
  });
}
