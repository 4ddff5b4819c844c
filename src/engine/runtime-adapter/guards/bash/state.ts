import type { Function as FunctionNode } from 'unbash';
import type { Binding } from './expand-word.ts';

/** What is known at one point of a script, over all the ways in which it can get there. */
export interface State {
  /** Absolute. */
  readonly folders: ReadonlySet<string>;
  /** Every value that a variable can have here. Missing: not known. */
  readonly variables: ReadonlyMap<string, readonly Binding[]>;
  /** Functions that are certainly defined here, with every body they can have. */
  readonly functions: ReadonlyMap<string, readonly FunctionNode[]>;
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
  return { folders, variables, functions: commonFunctions(left.functions, right.functions) };
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

/** Null: no longer certainly defined, so that a call may reach a program of that name. */
export function withFunction(state: State, name: string, body: FunctionNode | null): State {
  const functions = new Map(state.functions);
  if (body === null) functions.delete(name);
  else functions.set(name, [body]);
  return { ...state, functions };
}

export function isSameState(left: State, right: State): boolean {
  return fingerprint(left) === fingerprint(right);
}

function commonFunctions(left: State['functions'], right: State['functions']): State['functions'] {
  if (left === right) return left;
  const common = new Map<string, readonly FunctionNode[]>();
  for (const [name, bodies] of left) {
    const others = right.get(name);
    if (others !== undefined) common.set(name, [...new Set([...bodies, ...others])]);
  }
  return common;
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
  const functions = [...state.functions].map(([name, bodies]) => `${name}:${bodies.map(({ pos }) => pos).join()}`);
  return JSON.stringify([
    [...state.folders].sort(),
    functions.sort(),
    variables.map((entry) => JSON.stringify(entry)).sort(),
  ]);
}
