import { forEachChild, type ParameterExpansionPart, type SyntaxNode } from 'unbash';
import { checkSecret } from './assignments.ts';
import { checkArithmetic, isArithmeticText } from './check-evaluation.ts';
import type { State } from './state.ts';
import type { Walk } from './walk.ts';

/**
 * Looks into everything that bash expands: nested scripts are walked, arithmetic and parameter operations that run
 * code or assign are refused. Returns the state after it, since arithmetic assigns.
 */
export function visitExpansions(node: SyntaxNode, state: State, walk: Walk): State {
  let current = state;
  const visit = (child: SyntaxNode): void => {
    if (child.type === 'CommandExpansion' || child.type === 'ProcessSubstitution') {
      walk.script(child.script, current);
    } else if (child.type === 'ArithmeticExpansion') {
      current = checkArithmetic(child.expression, current, walk);
    } else {
      if (child.type === 'SimpleExpansion') checkSecret(child.text.slice(1), current, walk);
      if (child.type === 'ParameterExpansion') checkParameter(child, current, walk);
      forEachChild(child, visit);
    }
  };
  visit(node);
  return current;
}

function checkParameter(part: ParameterExpansionPart, state: State, walk: Walk): void {
  checkSecret(part.parameter, state, walk);
  if (part.prefix === '!') walk.refuse('shell-evaluation');
  const index = part.index?.text;
  if (index !== undefined && !/^[@*]$/.test(index) && !isArithmeticText(index, state)) {
    walk.refuse('arithmetic-evaluation');
  }
  switch (part.operation?.type) {
    case 'Transform':
    case 'Names':
    case 'Unknown':
      walk.refuse('shell-evaluation');
      return;
    case 'Default':
      if (part.operation.operator.endsWith('=')) walk.refuse('dangerous-assignment');
      return;
    case 'Slice': {
      const bounds = [part.operation.offset.text, part.operation.length?.text ?? '0'];
      if (!bounds.every((bound) => isArithmeticText(bound.trim(), state))) walk.refuse('arithmetic-evaluation');
      return;
    }
    case 'Remove':
    case 'Replace':
    case 'CaseModification':
    case undefined:
  }
}
