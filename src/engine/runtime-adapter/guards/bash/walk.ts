import type { Function as FunctionNode, ParsedScript } from 'unbash';
import type { Folder } from '../folder.ts';
import type { Field } from './field.ts';
import type { RuleName } from './rules.ts';
import type { Outcome, State } from './state.ts';

/** What a command writes to its standard output, as far as it matters to the next one. */
export type OutputKind = 'names' | 'number' | 'anything';

/** Collects what is wrong with a command. Nothing stops the walk: a rule must be found even behind an unknown program. */
export interface Findings {
  refuse(rule: RuleName): void;
  /** The program is not on the allowlist. */
  notAllowed(command: string): void;
}

/** Everything that stays the same during one validation. */
export interface Walk extends Findings {
  readonly folder: Folder;
  /** The planner's and the reviewer's commands may write nothing. */
  readonly readOnly: boolean;
  /** Programs, or programs with their first arguments, that the configuration allows. */
  readonly allow: readonly string[];
  /** Counts the work done; throws when there is too much of it. */
  step(): void;
  /** Walks a nested script, in a subshell of its own. */
  script(script: ParsedScript | undefined, state: State): void;
  /** Walks the body of a function. */
  body(node: FunctionNode, state: State, stdin: OutputKind): Outcome;
}

/** One way in which a simple command can be called. */
export interface Call {
  readonly name: string;
  readonly args: readonly Field[];
  readonly stdin: OutputKind;
  readonly folders: ReadonlySet<string>;
  /** A function of the script; its body is walked apart. */
  readonly isFunction: boolean;
}
