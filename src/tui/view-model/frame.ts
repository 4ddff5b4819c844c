import type { EngineSnapshot } from '../../engine/engine-types.ts';
import type { LoadedDetails } from './item-details.ts';
import type { ItemList } from './item-list.ts';

/** The newest lines of the output of runs, by session; cleaned, oldest first. */
export type Tails = ReadonlyMap<string, readonly string[]>;

/** Everything from the engine that one picture of the screen is made of. */
export interface Frame {
  readonly snapshot: EngineSnapshot;
  /** What of it is listed. Cheap to ask again for the same search. */
  readonly list: (search: string) => ItemList;
  readonly now: number;
  readonly tails: Tails;
  readonly details: (id: string) => LoadedDetails;
  /** What happened last, in words. */
  readonly activity: string;
  /** How many items were closed since the screen was opened. */
  readonly done: number;
}
