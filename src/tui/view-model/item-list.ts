import { PRIORITIES } from '../../domain/work-item.ts';
import type { EngineSnapshot } from '../../engine/engine-types.ts';
import type { Facts, ItemFacts } from './item-facts.ts';
import { compareIDs, gatherFacts, keyOf } from './item-facts.ts';
import { clean } from './text-cells.ts';
import type { Turn } from './turn-of.ts';
import { turnOf } from './turn-of.ts';

/** One selectable line of the list. */
export interface Entry {
  readonly key: string;
  readonly facts: Facts;
  readonly turn: Turn;
}

export interface ItemList {
  readonly needsYou: readonly Entry[];
  readonly atWork: readonly Entry[];
  /** Both sections, in the order of the screen. */
  readonly entries: readonly Entry[];
  /** How many there are without the search, and how many of them need a person. */
  readonly total: number;
  readonly totalNeedsYou: number;
}

/** The two sections, each sorted: agents that run before those that wait, then priority, then number. */
export function listItems(snapshot: EngineSnapshot, search: string, now: number): ItemList {
  const { items, planner } = gatherFacts(snapshot);
  const all: Facts[] = [...items];
  if (planner.run !== null || planner.lastRun?.status === 'failed') all.push(planner);
  const matches = matcherOf(search);
  const everything = all.map((facts) => ({ key: keyOf(facts), facts, turn: turnOf(facts, now, snapshot.dispatch) }));
  const found = everything.filter(({ facts }) => matches(facts)).sort(compareEntries);
  const needsYou = found.filter(isYours);
  const atWork = found.filter((entry) => !isYours(entry));
  const totalNeedsYou = everything.filter(isYours).length;
  return { needsYou, atWork, entries: [...needsYou, ...atWork], total: everything.length, totalNeedsYou };
}

/** The list of one moment, made once for each search. */
export function createItemLister(snapshot: EngineSnapshot, now: number): (search: string) => ItemList {
  const made = new Map<string, ItemList>();
  return (search) => {
    const list = made.get(search) ?? listItems(snapshot, search, now);
    made.set(search, list);
    return list;
  };
}

function isYours({ turn }: Entry): boolean {
  return turn.whose === 'you';
}

/** Where the selection stands: at its entry, or, if that is gone, where it was last. -1 in an empty list. */
export function findSelection(list: ItemList, key: string | null, lastIndex: number): number {
  const index = key === null ? -1 : list.entries.findIndex((entry) => entry.key === key);
  return index >= 0 ? index : Math.min(lastIndex, list.entries.length - 1);
}

/** Every word of the search must occur in what the row says: number, title, status, priority. */
function matcherOf(search: string): (facts: Facts) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return () => true;
  return (facts) => {
    const text = (facts.item === null ? 'planner' : searchTextOf(facts)).toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

function searchTextOf({ item, revision, run }: ItemFacts): string {
  const pull = revision === null ? '' : `#${revision.id}`;
  return `#${item.id} ${clean(item.title)} ${item.status} ${item.priority ?? ''} ${pull} ${run?.subject.role ?? ''}`;
}

function compareEntries(a: Entry, b: Entry): number {
  return rankOf(a) - rankOf(b) || priorityOf(a) - priorityOf(b) || compareIDs(a.key, b.key);
}

const RUN_RANKS: readonly string[] = ['running', 'requested', 'waiting'];

function rankOf({ facts }: Entry): number {
  if (facts.item === null) return -1;
  return facts.run === null ? RUN_RANKS.length : RUN_RANKS.indexOf(facts.run.status);
}

function priorityOf({ facts }: Entry): number {
  const priority = facts.item?.priority ?? null;
  return priority === null ? PRIORITIES.length : PRIORITIES.indexOf(priority);
}
