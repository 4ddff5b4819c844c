import type { SyntaxNode } from 'unbash';
import { type Binding, type Scope, variablesIn } from './expand-word.ts';
import { INSIDE, NUMBER, UNKNOWN } from './field.ts';
import { outputOfScript } from './output-kind.ts';
import type { State } from './state.ts';
import type { Findings, OutputKind } from './walk.ts';

const MOST_SCOPES = 64;

/** Every combination of values that the variables in these nodes can have. */
export function scopesFor(nodes: Iterable<SyntaxNode>, state: State, findings: Findings): Scope[] {
  let choices: ReadonlyMap<string, Binding>[] = [new Map()];
  for (const name of variablesIn(nodes)) {
    const values = state.variables.get(name);
    if (values === undefined) continue;
    choices = choices.flatMap((choice) => values.map((value) => new Map([...choice, [name, value]])));
    if (choices.length > MOST_SCOPES) {
      findings.refuse('unparsable-command');
      choices = [new Map()];
    }
  }
  return choices.map((choice) => ({
    lookup: (name) => choice.get(name),
    output: (script) => OUTPUT_FIELDS[outputOfScript(script)],
  }));
}

const OUTPUT_FIELDS: Readonly<Record<OutputKind, string>> = { names: INSIDE, number: NUMBER, anything: UNKNOWN };
