import type { ParsedScript, SyntaxNode } from 'unbash';
import { type Binding, type Scope, variablesIn } from './expand-word.ts';
import { type Field, INSIDE, NUMBER, UNKNOWN } from './field.ts';
import { outputOfScript, placeOfScript } from './output-kind.ts';
import type { State } from './state.ts';
import type { OutputKind, Walk } from './walk.ts';

const MOST_SCOPES = 64;

/** Every combination of values that the variables in these nodes can have. */
export function scopesFor(nodes: Iterable<SyntaxNode>, state: State, walk: Walk): Scope[] {
  let choices: ReadonlyMap<string, Binding>[] = [new Map()];
  for (const name of variablesIn(nodes)) {
    const values = name === 'PWD' ? [...state.folders].map(asScalar) : state.variables.get(name);
    if (values === undefined) continue;
    choices = choices.flatMap((choice) => values.map((value) => new Map([...choice, [name, value]])));
    if (choices.length > MOST_SCOPES) {
      walk.refuse('unparsable-command');
      choices = [new Map()];
    }
  }
  return choices.map((choice) => ({
    lookup: (name) => choice.get(name),
    output: (script) => outputOf(script, state, walk),
  }));
}

function asScalar(value: string): Binding {
  return { kind: 'scalar', value };
}

/** Folders are exact: what is put behind the name of one, without a slash, leads to its neighbour. */
function outputOf(script: ParsedScript | undefined, state: State, walk: Walk): Field {
  const place = placeOfScript(script);
  if (place === 'top') return walk.folder.root;
  if (place === null) return OUTPUT_FIELDS[outputOfScript(script)];
  const [folder, ...others] = state.folders;
  return folder === undefined || others.length > 0 ? UNKNOWN : folder;
}

const OUTPUT_FIELDS: Readonly<Record<OutputKind, string>> = { names: INSIDE, number: NUMBER, anything: UNKNOWN };
