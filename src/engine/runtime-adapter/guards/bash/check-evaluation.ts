import type { ArithmeticExpression, TestExpression, Word } from 'unbash';
import { checkVariableName } from './assignments.ts';
import { checkProbe } from './check-path.ts';
import { expandValue } from './expand-word.ts';
import { NUMBER } from './field.ts';
import { outputOfScript } from './output-kind.ts';
import { scopesFor } from './scopes.ts';
import { type State, withVariable } from './state.ts';
import type { Walk } from './walk.ts';

/**
 * Bash evaluates the text of a variable that arithmetic mentions, array indexes with command substitutions included:
 * `x='a[$(rm y)]'; ((x))` runs rm. So arithmetic may only touch what is certainly a number.
 */
export function checkArithmetic(expression: ArithmeticExpression | undefined, state: State, walk: Walk): State {
  if (expression === undefined) return state;
  switch (expression.type) {
    case 'ArithmeticBinary': {
      const right = checkArithmetic(expression.right, state, walk);
      if (!ASSIGNMENT.test(expression.operator)) return checkArithmetic(expression.left, right, walk);
      return assign(expression.left, expression.operator === '=', right, walk);
    }
    case 'ArithmeticUnary':
      if (expression.operator === '++' || expression.operator === '--') {
        return assign(expression.operand, false, state, walk);
      }
      return checkArithmetic(expression.operand, state, walk);
    case 'ArithmeticTernary':
      return [expression.test, expression.consequent, expression.alternate].reduce(
        (before, part) => checkArithmetic(part, before, walk),
        state,
      );
    case 'ArithmeticGroup':
      return checkArithmetic(expression.expression, state, walk);
    case 'ArithmeticCommandExpansion':
      walk.script(expression.script, state);
      if (outputOfScript(expression.script) !== 'number') walk.refuse('arithmetic-evaluation');
      return state;
    case 'ArithmeticWord':
      checkOperand(expression, state, walk);
      return state;
  }
}

/** Conditions that evaluate: number comparisons and tests of variables by name. */
export function checkTest(expression: TestExpression, state: State, walk: Walk): void {
  switch (expression.type) {
    case 'TestUnary':
      if (/^-[vR]$/.test(expression.operator) && !IDENTIFIER.test(expression.operand.text)) {
        walk.refuse('arithmetic-evaluation');
      }
      if (/^-[a-hkprsuwxLNOSG]$/.test(expression.operator)) checkFileTest(expression.operand, state, walk);
      return;
    case 'TestBinary':
      if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(expression.operator)) {
        for (const side of [expression.left, expression.right]) checkNumber(side, state, walk);
      }
      return;
    case 'TestLogical':
      for (const operand of expression.operands) checkTest(operand, state, walk);
      return;
    case 'TestNot':
      checkTest(expression.operand, state, walk);
      return;
    case 'TestGroup':
      checkTest(expression.expression, state, walk);
  }
}

/** A number, or the name of a variable that holds one. */
export function isArithmeticText(text: string, state: State): boolean {
  return (
    NUMERAL.test(text) || (IDENTIFIER.test(text) && holdsNumber(text, state)) || holdsNumber(dollarName(text), state)
  );
}

const ASSIGNMENT = /^(?:[-+*/%&|^]|<<|>>)?=$/;
const IDENTIFIER = /^[A-Za-z_]\w*$/;
const NUMERAL = /^(?:-?\d+|0[xX][\da-fA-F]+|\d+#\w+)$/;
const NUMBER_VALUE = new RegExp(`^-?(?:\\d|${NUMBER})+$`);
const NUMERIC_NAMES = /^(?:[?#$!]|RANDOM|SRANDOM|LINENO|SECONDS|EPOCHSECONDS|UID|EUID|PPID|BASHPID)$/;

function dollarName(text: string): string {
  return /^\$\{?(\w+|[?#])\}?$/.exec(text)?.[1] ?? '';
}

function holdsNumber(name: string, state: State): boolean {
  if (NUMERIC_NAMES.test(name)) return true;
  const values = state.variables.get(name);
  return values !== undefined && values.every((value) => value.kind === 'scalar' && NUMBER_VALUE.test(value.value));
}

function assign(target: ArithmeticExpression, plain: boolean, state: State, walk: Walk): State {
  if (target.type !== 'ArithmeticWord' || !IDENTIFIER.test(target.value)) {
    walk.refuse('arithmetic-evaluation');
    return state;
  }
  checkVariableName(target.value, walk);
  if (!plain) checkOperand(target, state, walk);
  return withVariable(state, target.value, [{ kind: 'scalar', value: NUMBER }]);
}

function checkOperand(word: ArithmeticExpression & { type: 'ArithmeticWord' }, state: State, walk: Walk): void {
  const parts = word.parts ?? [];
  const isNumber = parts.some((part) => part.type === 'CommandExpansion' || part.type === 'ArithmeticExpansion')
    ? parts.length === 1 &&
      parts.every((part) => part.type === 'CommandExpansion' && outputOfScript(part.script) === 'number')
    : isArithmeticText(word.value.replaceAll('"', ''), state) || /^\$?\{#\w+(?:\[@\])?\}$/.test(word.value);
  for (const part of parts) if (part.type === 'CommandExpansion') walk.script(part.script, state);
  if (!isNumber) walk.refuse('arithmetic-evaluation');
}

function checkFileTest(word: Word, state: State, walk: Walk): void {
  for (const scope of scopesFor([word], state, walk)) checkProbe(expandValue(word, scope), state.folders, walk);
}

function checkNumber(word: Word, state: State, walk: Walk): void {
  for (const scope of scopesFor([word], state, walk)) {
    if (!NUMBER_VALUE.test(expandValue(word, scope))) walk.refuse('arithmetic-evaluation');
  }
}
