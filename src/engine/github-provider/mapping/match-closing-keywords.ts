import { markdownProse } from './markdown-prose.ts';

export interface RepositoryName {
  readonly owner: string;
  readonly repo: string;
}

/**
 * The issues of this repository that a pull request's text says it closes, in order, each once. Reads what GitHub
 * reads: `Closes #5`, `closes: #5`, `**Fixes #5**`, `resolves owner/repo#5`, `closes GH-5`, `fixes <url of the
 * issue>`; nothing inside code or HTML comments, no parts of words.
 */
export function matchClosingKeywords(body: string, repository: RepositoryName): string[] {
  const own = `${repository.owner}/${repository.repo}`.toLowerCase();
  const ids = markdownProse(body)
    .flatMap((block) => [...block.matchAll(REFERENCE)])
    .filter(({ groups }) => (groups?.['shortRepo'] ?? groups?.['urlRepo'] ?? own).toLowerCase() === own)
    .flatMap(({ groups }) => groups?.['short'] ?? groups?.['url'] ?? []);
  return [...new Set(ids)];
}

// Hyphens and underscores are part of a word only if it goes on behind them; else they are lists and emphasis.
const KEYWORD = String.raw`(?<![\p{L}\p{N}][-_]{0,2})(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?[ \t]+`;
const SHORT = String.raw`(?:(?<shortRepo>[\w.-]+/[\w.-]+)?#|GH-)(?<short>[1-9]\d*)`;
const URL_FORM = String.raw`https?://[^\s/]+/(?<urlRepo>[\w.-]+/[\w.-]+)/issues/(?<url>[1-9]\d*)`;
const REFERENCE = new RegExp(String.raw`${KEYWORD}(?:${SHORT}|${URL_FORM})(?!_{0,2}[\p{L}\p{N}])`, 'giu');
