import type { EngineCommand } from '../../engine/engine-types.ts';
import type { Size } from './layout.ts';

/**
 * starting --> running --> stopping --> stopping at once
 *    |                        ^
 *    +--> failed (to start)   +-- from starting, too
 */
export type Phase =
  | { readonly name: 'starting' | 'running' | 'stopping' | 'stopping-at-once' }
  | { readonly name: 'failed'; readonly reason: string };

/** Something that is done only after a yes. */
export type Question =
  | { readonly about: 'quit' }
  | { readonly about: 'command'; readonly text: string; readonly command: EngineCommand; readonly done: string };

/** What the person at the screen has done to it. What the engine knows is in the frame. */
export interface UIState {
  readonly size: Size;
  readonly phase: Phase;
  readonly overlay: 'help' | 'notices' | null;
  readonly focus: 'list' | 'detail';
  readonly selectedKey: string | null;
  /** Where the selection was last: it stays there when its entry leaves the list. */
  readonly selectedIndex: number;
  /** The entry that stays in the detail pane while the selection moves. */
  readonly pinnedKey: string | null;
  readonly isOutputOnly: boolean;
  /** Lines from the top; of an overlay, too. */
  readonly detailScroll: number;
  /** Lines back from the newest; 0 follows the output. */
  readonly outputScroll: number;
  readonly search: string;
  readonly isSearching: boolean;
  readonly question: Question | null;
  /** Answer to what was pressed last; gone with the next key. */
  readonly message: string | null;
  /** Approved specs that nobody has decided about. */
  readonly firstRunSpecs: readonly string[] | null;
}

export function initialUIState(size: Size): UIState {
  return {
    size,
    phase: { name: 'starting' },
    overlay: null,
    focus: 'list',
    selectedKey: null,
    selectedIndex: 0,
    pinnedKey: null,
    isOutputOnly: false,
    detailScroll: 0,
    outputScroll: 0,
    search: '',
    isSearching: false,
    question: null,
    message: null,
    firstRunSpecs: null,
  };
}
