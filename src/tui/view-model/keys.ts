/** What a key can ask for. */
export type Intent =
  | 'up'
  | 'down'
  | 'pageUp'
  | 'pageDown'
  | 'first'
  | 'last'
  | 'enter'
  | 'back'
  | 'switch'
  | 'dispatch'
  | 'review'
  | 'merge'
  | 'retry'
  | 'cancel'
  | 'open'
  | 'copy'
  | 'copyRun'
  | 'pin'
  | 'output'
  | 'search'
  | 'notices'
  | 'refresh'
  | 'help'
  | 'quit';

export interface KeyBinding {
  readonly intent: Intent;
  readonly keys: readonly string[];
  readonly group: 'Move' | 'Act on an item' | 'Look' | 'decree';
  readonly help: string;
}

/** The one place where keys are given: the help shows this table, and pressing a key looks it up here. */
export const KEY_BINDINGS: readonly KeyBinding[] = [
  { intent: 'up', keys: ['↑', 'k'], group: 'Move', help: 'up' },
  { intent: 'down', keys: ['↓', 'j'], group: 'Move', help: 'down' },
  { intent: 'pageUp', keys: ['PgUp', 'Ctrl-b'], group: 'Move', help: 'a page up' },
  { intent: 'pageDown', keys: ['PgDn', 'Ctrl-f'], group: 'Move', help: 'a page down' },
  { intent: 'first', keys: ['Home', 'g'], group: 'Move', help: 'to the top' },
  { intent: 'last', keys: ['End', 'G'], group: 'Move', help: 'to the end' },
  { intent: 'enter', keys: ['Enter', '→', 'l'], group: 'Move', help: 'into the details' },
  { intent: 'back', keys: ['Esc', '←', 'h'], group: 'Move', help: 'back; ends a search' },
  { intent: 'switch', keys: ['Tab'], group: 'Move', help: 'between list and details' },
  { intent: 'dispatch', keys: ['d'], group: 'Act on an item', help: 'dispatch an implementor' },
  { intent: 'review', keys: ['v'], group: 'Act on an item', help: 'start a reviewer' },
  { intent: 'merge', keys: ['m'], group: 'Act on an item', help: 'merge its pull request' },
  { intent: 'retry', keys: ['r'], group: 'Act on an item', help: 'retry what failed' },
  { intent: 'cancel', keys: ['x'], group: 'Act on an item', help: 'cancel its agent' },
  { intent: 'search', keys: ['/'], group: 'Look', help: 'search' },
  { intent: 'open', keys: ['o'], group: 'Look', help: 'open in the browser' },
  { intent: 'copy', keys: ['c'], group: 'Look', help: 'copy the link' },
  { intent: 'copyRun', keys: ['C'], group: 'Look', help: 'copy its `decree runs`' },
  { intent: 'pin', keys: ['p'], group: 'Look', help: 'pin or unpin its details' },
  { intent: 'output', keys: ['s'], group: 'Look', help: 'only the live output' },
  { intent: 'notices', keys: ['w'], group: 'decree', help: 'warnings and notices' },
  { intent: 'refresh', keys: ['R'], group: 'decree', help: 'read the forge now' },
  { intent: 'help', keys: ['?'], group: 'decree', help: 'this help' },
  { intent: 'quit', keys: ['q', 'Ctrl-c'], group: 'decree', help: 'quit; twice: at once' },
];

const BY_KEY = new Map(KEY_BINDINGS.flatMap(({ keys, intent }) => keys.map((key) => [key, intent])));

/** What a key, by the name that the help gives it, asks for. */
export function intentOf(key: string): Intent | null {
  return BY_KEY.get(key) ?? null;
}
