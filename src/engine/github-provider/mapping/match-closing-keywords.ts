import { closingReferences } from '../../../domain/closing-references.ts';

export interface RepositoryName {
  readonly owner: string;
  readonly repo: string;
}

/** The issues of this repository that a pull request's text says it closes, in order, each once. */
export function matchClosingKeywords(body: string, { owner, repo }: RepositoryName): string[] {
  const own = `${owner}/${repo}`.toLowerCase();
  const references = closingReferences(body).filter(({ repository }) => (repository ?? own).toLowerCase() === own);
  return [...new Set(references.map(({ number }) => String(number)))];
}
