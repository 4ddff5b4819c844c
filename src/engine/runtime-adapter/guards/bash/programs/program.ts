import type { Field } from '../field.ts';
import type { RuleName } from '../rules.ts';
import type { Call, Walk } from '../walk.ts';

/**
 * How an allowed program is judged. Unless said otherwise every argument that may be a path, option values included,
 * must lead to a place inside the folder, and may not be unknown.
 */
export interface Program {
  /** Options that are refused, and by which rule: `-x`, `--long` (and its abbreviations) or `-word`. */
  readonly refuse?: Readonly<Record<string, RuleName>>;
  /**
   * Options whose value is text: `-m`, `--exclude`. Only such as never go without a value: the next argument is theirs,
   * whatever it is.
   */
  readonly text?: readonly string[];
  /** Options whose value, if they have one, is text after an equals sign: `--color`. */
  readonly stuck?: readonly string[];
  /** Options whose value is a path, given as the next argument. Only `pattern` operands need them. */
  readonly valued?: readonly string[];
  /** Options without a value. Only `pattern` operands need them, since every other option ends the trust in the order. */
  readonly flags?: RegExp;
  /** `paths` (default); `text`; `pattern`: the first is text unless an option among `patternOptions` gave it. */
  readonly operands?: 'paths' | 'text' | 'pattern';
  readonly patternOptions?: readonly string[];
  /** `read` (default), `write`: changes files, `run`: runs code of the folder, `check`: runs it to test or lint. */
  readonly access?: 'read' | 'write' | 'run' | 'check';
  /** Options that make it write. */
  readonly writes?: readonly string[];
  /** Judges the call alone, instead of or in addition to the above. */
  readonly check?: (call: Call, judge: Judge) => void;
  /** `check` does everything. */
  readonly special?: boolean;
}

/** What a check can do. */
export interface Judge {
  readonly walk: Walk;
  refuse(rule: RuleName): void;
  /** A path that is read or written. */
  path(field: Field): void;
  /** What may be a path or not: refused if it then leads out for certain, or to something that is off limits. */
  mayLead(field: Field): void;
  /** A path that is only asked about: whether it exists, how old it is. Unknown ones are let be. */
  probe(field: Field): void;
  /** The command changes files: not for read-only roles. */
  write(): void;
  /** Judges the arguments by the generic rules of a program. */
  arguments(args: readonly Field[], program: Program): void;
  /** Whether a program of this name is on the blocklist or the allowlist. */
  knows(name: string): boolean;
  /** Judges a command inside this one: `xargs grep`. */
  nested(args: readonly Field[]): void;
}
