/**
 * The issues that a pull request's text says it closes, read as GitHub reads it: `Closes #5`, `fixes: #5`,
 * `**Resolves owner/repo#5**`. What stands in code or in a comment does not count, nor does a keyword that is only
 * the end of a longer word.
 */
export function closedIssues(text: string, repository: string): number[] {
  const prose = text
    .replace(/<!--[\s\S]*?(-->|$)/g, ' ')
    .replace(/^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})[^\n]*[\s\S]*?(^ {0,3}\1[`~]*[ \t]*$|$(?![\s\S]))/gm, ' ')
    .replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, ' ');
  const keyword = '(?<![a-z0-9-])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?[ \\t]+';
  const issue = '(?:#|GH-|(?:https?://[^/\\s]+/)?([\\w.-]+/[\\w.-]+)(?:#|/issues/))(\\d+)(?![a-z0-9])';
  const pattern = new RegExp(keyword + issue, 'gi');
  const own = repository.toLowerCase();
  const numbers = [...prose.matchAll(pattern)]
    .filter(([, named]) => named === undefined || named.toLowerCase() === own)
    .map(([, , number]) => Number(number));
  return [...new Set(numbers)];
}
