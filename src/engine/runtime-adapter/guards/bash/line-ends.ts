import { forEachChild, type ParsedScript, type SyntaxNode } from 'unbash';

/**
 * Bash drops an escaped line end before it looks for tokens: `$` and `(rm x)` on two lines are one substitution. The
 * parser does so only inside words. So an escaped line end must follow a blank, as it does where people wrap lines,
 * unless it is text: single-quoted, or in a here-document whose delimiter is quoted.
 */
export function hasOddLineEnd(command: string, script: ParsedScript): boolean {
  if (/(?<!\\)(?:\\\\)*\\$/.test(command)) return true;
  const suspects = Array.from(command.matchAll(/(?<![\s\\])(?:\\\\)*\\\n/g), ({ index }) => index);
  if (suspects.length === 0) return false;
  const texts = literalTexts(script);
  return suspects.some((at) => !texts.some((text) => at >= text.pos && at < text.end));
}

function literalTexts(script: ParsedScript): { pos: number; end: number }[] {
  const texts: { pos: number; end: number }[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'SingleQuoted') texts.push(node);
    if (node.type === 'HereDoc' && node.delimiter?.quoted === true) texts.push(node.body);
    // Positions inside a script with escaped backticks count in a text of its own.
    if (node.type !== 'Script' || node.source === undefined) forEachChild(node, visit);
  };
  visit(script);
  return texts;
}
