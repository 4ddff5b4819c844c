import type { Binding } from './expand-word.ts';

/** What is known at one point of a script, over all the ways in which it can get there. */
export interface State {
  /** Absolute. */
  readonly folders: ReadonlySet<string>;
  /** Every value that a variable can have here. Missing: not known. */
  readonly variables: ReadonlyMap<string, readonly Binding[]>;
}

/** The states after success and after failure: `cd a && ...` goes on in `a` for certain, `cd a; ...` does not. */
export interface Outcome {
  readonly ok: State;
  readonly failed: State;
}

const MOST_VALUES = 32;
const MOST_FOLDERS = 32;

export function same(state: State): Outcome {
  return { ok: state, failed: state };
}

/** Throws if there is too much to keep track of. */
export function either(left: State, right: State): State {
  if (left === right) return left;
  const variables = new Map<string, readonly Binding[]>();
  for (const [name, values] of left.variables) {
    const others = right.variables.get(name);
    if (others !== undefined) variables.set(name, union(values, others));
  }
  for (const [name, values] of variables) {
    if (values.length > MOST_VALUES) variables.delete(name);
  }
  const folders = new Set([...left.folders, ...right.folders]);
  if (folders.size > MOST_FOLDERS) throw new Error('The command could be in too many folders to look at.');
  return { folders, variables };
}

export function after(outcome: Outcome): State {
  return either(outcome.ok, outcome.failed);
}

export function withVariable(state: State, name: string, values: readonly Binding[] | null): State {
  const variables = new Map(state.variables);
  if (values === null || values.length === 0 || values.length > MOST_VALUES) variables.delete(name);
  else variables.set(name, values);
  return { ...state, variables };
}

export function isSameState(left: State, right: State): boolean {
  return fingerprint(left) === fingerprint(right);
}

function union(left: readonly Binding[], right: readonly Binding[]): Binding[] {
  const byText = new Map([...left, ...right].map((binding) => [JSON.stringify(binding), binding]));
  return [...byText.values()];
}

function fingerprint(state: State): string {
  const variables = [...state.variables].map(([name, values]) => [
    name,
    values.map((value) => JSON.stringify(value)).sort(),
  ]);
  return JSON.stringify([[...state.folders].sort(), variables.map((entry) => JSON.stringify(entry)).sort()]);
}
