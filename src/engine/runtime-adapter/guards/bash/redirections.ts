import type { ParsedScript, Redirection, Word } from 'unbash';
import { checkVariableName } from './assignments.ts';
import { checkPath } from './check-path.ts';
import { expandWord } from './expand-word.ts';
import { isKnown } from './field.ts';
import { scopesFor } from './scopes.ts';
import type { State } from './state.ts';
import type { Walk } from './walk.ts';

/** Files that a command is connected to. Their expansions have been visited before. */
export function checkRedirections(redirections: readonly Redirection[], state: State, walk: Walk): void {
  for (const redirection of redirections) {
    if (redirection.descriptor?.type === 'FileDescriptorVariable') checkVariableName(redirection.descriptor.name, walk);
    if (redirection.type === 'HereDoc') {
      if (redirection.closing === undefined || redirection.delimiter === undefined) walk.refuse('unparsable-command');
    } else if (redirection.target === undefined) {
      walk.refuse('unparsable-command');
    } else if (redirection.type === 'Redirect') {
      checkTarget(redirection.operator, redirection.target, state, walk);
    }
  }
}

/** Where standard input comes from: a script inside `< <(...)`, something else, or whoever called. */
export function inputOf(redirections: readonly Redirection[]): ParsedScript | 'other' | 'inherited' {
  const inputs = redirections.filter((redirection) => redirection.operator.startsWith('<'));
  const [only] = inputs;
  if (only === undefined) return 'inherited';
  const parts =
    inputs.length === 1 && only.type === 'Redirect' && only.operator === '<' ? only.target?.parts : undefined;
  const [part] = parts ?? [];
  return part?.type === 'ProcessSubstitution' && parts?.length === 1 && part.script !== undefined
    ? part.script
    : 'other';
}

function checkTarget(operator: string, target: Word, state: State, walk: Walk): void {
  for (const scope of scopesFor([target], state, walk)) {
    const fields = expandWord(target, scope);
    const [field] = fields;
    if (field === undefined || fields.length > 1) {
      walk.refuse('unknown-value');
    } else if (operator.endsWith('&') && /^(?:\d+-?|-)$/.test(field)) {
      continue;
    } else if (/^\/dev\/(?:tcp|udp)\//.test(field)) {
      walk.refuse('network');
    } else {
      checkPath(field, state.folders, walk);
      const harmless = isKnown(field) && /^\/dev\/(?:null|stdout|stderr)$/.test(field);
      if (operator !== '<' && walk.readOnly && !harmless) walk.refuse('read-only-role');
    }
  }
}
