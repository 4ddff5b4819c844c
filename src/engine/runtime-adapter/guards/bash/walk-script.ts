import type {
  Case,
  Command,
  CompoundList,
  For,
  If,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Statement,
  SyntaxNode,
} from 'unbash';
import type { Function as FunctionNode, Redirection, TestExpression } from 'unbash';
import { checkVariableName } from './assignments.ts';
import { checkArithmetic, checkTest } from './check-evaluation.ts';
import { expandWord } from './expand-word.ts';
import type { Field } from './field.ts';
import { outputOfCommand, outputOfScript } from './output-kind.ts';
import { isKnownProgram } from './programs/table.ts';
import { checkRedirections, inputOf } from './redirections.ts';
import { scopesFor } from './scopes.ts';
import { after, either, isSameState, type Outcome, same, type State, withFunction, withVariable } from './state.ts';
import { visitExpansions } from './visit-expansions.ts';
import type { OutputKind, Walk } from './walk.ts';
import { walkCommand } from './walk-command.ts';

/**
 * Runs a script in the abstract: every branch, every loop until nothing new comes up, with the set of folders it may
 * be in and of values its variables may have. Each simple command is judged for every way in which it can be called.
 */
export function walkScript(script: ParsedScript | undefined, state: State, walk: Walk): void {
  if (script === undefined || (script.errors !== undefined && script.errors.length > 0)) {
    walk.refuse('unparsable-command');
    return;
  }
  walkList(script.commands, state, 'anything', walk);
}

/** For calls of functions, which are walked anew at every call. */
export function walkFunctionBody(node: FunctionNode, state: State, stdin: OutputKind, walk: Walk): Outcome {
  return walkNode(node.body, state, stdin, walk);
}

function walkList(statements: readonly Statement[], state: State, stdin: OutputKind, walk: Walk): Outcome {
  let outcome = same(state);
  for (const statement of statements) outcome = walkStatement(statement, after(outcome), stdin, walk);
  return outcome;
}

function walkStatement(statement: Statement, state: State, stdin: OutputKind, walk: Walk): Outcome {
  const outcome = walkNode(statement.command, state, stdin, walk);
  return statement.background === true ? same(state) : outcome;
}

type Walkable = Statement['command'] | CompoundList;

function walkNode(node: Walkable, state: State, stdin: OutputKind, walk: Walk): Outcome {
  switch (node.type) {
    case 'Command':
      return walkCommand(node, state, stdin, walk);
    case 'CompoundList':
      return walkList(node.commands, state, stdin, walk);
    case 'BraceGroup':
      return walkList(node.body.commands, state, stdin, walk);
    case 'Subshell':
      walkList(node.body.commands, state, stdin, walk);
      return same(state);
    case 'Pipeline':
      return walkPipeline(node, state, stdin, walk);
    case 'AndOr':
      return walkAndOr(node.commands, node.operators, state, stdin, walk);
    case 'If':
      return walkIf(node, state, stdin, walk);
    case 'While':
      return loop(state, walk, (start) => {
        const clause = walkList(node.clause.commands, start, stdin, walk);
        return walkList(node.body.commands, after(clause), stdin, walk);
      });
    case 'For':
      return walkFor(node, state, stdin, walk);
    case 'Select': {
      checkVariableName(node.name.value, walk);
      const start = withVariable(visitAll(node.wordlist ?? [], state, walk), node.name.value, null);
      return loop(start, walk, (each) => walkList(node.body.commands, each, stdin, walk));
    }
    case 'ArithmeticFor': {
      const parts = [node.initialize, node.test, node.update];
      const start = parts.reduce((before, part) => checkArithmetic(part, before, walk), state);
      return loop(start, walk, (each) => walkList(node.body.commands, each, stdin, walk));
    }
    case 'ArithmeticCommand':
      return same(checkArithmetic(node.expression, state, walk));
    case 'TestCommand':
      return same(walkTest(node.expression, state, walk));
    case 'Case':
      return walkCase(node, state, stdin, walk);
    case 'Redirected': {
      const visited = visitAll(node.redirects, state, walk);
      checkRedirections(node.redirects, visited, walk);
      return walkNode(node.command, visited, inputKind(node.redirects, stdin), walk);
    }
    case 'Function':
      return defineFunction(node, state, walk);
    case 'Coproc':
      walkNode(node.body, state, 'anything', walk);
      if (node.name !== undefined) checkVariableName(node.name.value, walk);
      return same(withVariable(state, node.name?.value ?? 'COPROC', null));
  }
}

function walkPipeline(node: Pipeline, state: State, stdin: OutputKind, walk: Walk): Outcome {
  const [only, ...more] = node.commands;
  if (only !== undefined && more.length === 0) {
    const outcome = walkNode(only, state, stdin, walk);
    const negated = node.prefixes.some((prefix) => prefix.type === 'Negation');
    return negated ? { ok: outcome.failed, failed: outcome.ok } : outcome;
  }
  let input = stdin;
  for (const stage of node.commands) {
    walkNode(stage, state, input, walk);
    input = stage.type === 'Command' ? outputOfCommand(stage, input) : 'anything';
  }
  return same(state);
}

function walkAndOr(
  nodes: readonly PipelineNode[],
  operators: readonly ('&&' | '||')[],
  state: State,
  stdin: OutputKind,
  walk: Walk,
): Outcome {
  let outcome = same(state);
  for (const [index, node] of nodes.entries()) {
    const operator = index === 0 ? undefined : operators[index - 1];
    if (operator === undefined) {
      outcome = walkNode(node, state, stdin, walk);
    } else if (operator === '&&') {
      const right = walkNode(node, outcome.ok, stdin, walk);
      outcome = { ok: right.ok, failed: either(outcome.failed, right.failed) };
    } else {
      const right = walkNode(node, outcome.failed, stdin, walk);
      outcome = { ok: either(outcome.ok, right.ok), failed: right.failed };
    }
  }
  return outcome;
}

function walkIf(node: If, state: State, stdin: OutputKind, walk: Walk): Outcome {
  let clause = walkList(node.clause.commands, state, stdin, walk);
  const ends = [walkList(node.then.commands, clause.ok, stdin, walk)];
  for (const elif of node.elif) {
    clause = walkList(elif.clause.commands, clause.failed, stdin, walk);
    ends.push(walkList(elif.then.commands, clause.ok, stdin, walk));
  }
  ends.push(node.else === undefined ? same(clause.failed) : walkList(node.else.commands, clause.failed, stdin, walk));
  return ends.reduce((left, right) => ({ ok: either(left.ok, right.ok), failed: either(left.failed, right.failed) }));
}

function walkFor(node: For, state: State, stdin: OutputKind, walk: Walk): Outcome {
  const start = visitAll(node.wordlist ?? [], state, walk);
  const words = node.wordlist ?? [];
  const values = new Set<Field>();
  for (const scope of scopesFor(words, start, walk)) {
    for (const word of words) for (const field of expandWord(word, scope)) values.add(field);
  }
  const name = node.name.value;
  const bindings = node.wordlist && [...values].map((value) => ({ kind: 'scalar', value }) as const);
  checkVariableName(name, walk);
  const end = loop(start, walk, (each) =>
    walkList(node.body.commands, withVariable(each, name, bindings ?? null), stdin, walk),
  );
  return same(either(start, after(end)));
}

function walkCase(node: Case, state: State, stdin: OutputKind, walk: Walk): Outcome {
  let current = visitAll([node.word, ...node.items.flatMap((item) => item.pattern)], state, walk);
  for (const item of node.items) {
    // `;&` falls through, so that a body may start where the one before it ended.
    current = either(current, after(walkList(item.body.commands, current, stdin, walk)));
  }
  return same(current);
}

function walkTest(expression: TestExpression, state: State, walk: Walk): State {
  const visited = visitAll([expression], state, walk);
  checkTest(expression, visited, walk);
  return visited;
}

function defineFunction(node: FunctionNode, state: State, walk: Walk): Outcome {
  const name = node.name.text;
  // A name with a slash never reaches the function, and a known name would hide what is judged by it.
  if (!/^[A-Za-z_][\w-]*$/.test(name) || isKnownProgram(name)) walk.refuse('redefined-command');
  const defined = withFunction(state, name, node);
  walk.body(node, { ...defined, variables: new Map() }, 'anything');
  return same(defined);
}

/** Walks a body again and again until it leads nowhere new. */
function loop(start: State, walk: Walk, body: (state: State) => Outcome): Outcome {
  let current = start;
  for (let round = 0; round < 5; round += 1) {
    const next = either(current, after(body(current)));
    if (isSameState(next, current)) return same(next);
    current = next;
  }
  walk.refuse('unparsable-command');
  return same(current);
}

function inputKind(redirects: readonly Redirection[], stdin: OutputKind): OutputKind {
  const input = inputOf(redirects);
  if (input === 'inherited') return stdin;
  return input === 'other' ? 'anything' : outputOfScript(input);
}

function visitAll(nodes: readonly (SyntaxNode | Command)[], state: State, walk: Walk): State {
  return nodes.reduce((before, node) => visitExpansions(node, before, walk), state);
}
