import { markdownProse } from './markdown-prose.ts';

export interface ClosingReference {
  /** `owner/name`; null for the repository that the text belongs to. */
  readonly repository: string | null;
  readonly number: number;
}

/**
 * The issues that a pull request's text says it closes, in order. Reads what GitHub reads: `Closes #5`, `closes: #5`,
 * `**Fixes #5**`, `resolves owner/repo#5`, `closes GH-5`, `fixes <url of the issue>`; nothing inside code or HTML
 * comments, no parts of words.
 */
export function closingReferences(text: string): ClosingReference[] {
  return markdownProse(text)
    .flatMap((block) => [...block.matchAll(REFERENCE)])
    .map(({ groups }) => ({
      repository: groups?.['shortRepo'] ?? groups?.['urlRepo'] ?? null,
      number: Number(groups?.['short'] ?? groups?.['url']),
    }));
}

// Hyphens and underscores are part of a word only if it goes on behind them; else they are lists and emphasis.
const KEYWORD = String.raw`(?<![\p{L}\p{N}][-_]{0,2})(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?[ \t]+`;
const SHORT = String.raw`(?:(?<shortRepo>[\w.-]+/[\w.-]+)?#|GH-)(?<short>[1-9]\d*)`;
const URL_FORM = String.raw`https?://[^\s/]+/(?<urlRepo>[\w.-]+/[\w.-]+)/issues/(?<url>[1-9]\d*)`;
const REFERENCE = new RegExp(String.raw`${KEYWORD}(?:${SHORT}|${URL_FORM})(?!_{0,2}[\p{L}\p{N}])`, 'giu');
