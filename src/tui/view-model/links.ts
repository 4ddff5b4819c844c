import type { Facts } from './item-facts.ts';

export interface Repository {
  /** For people: `owner/name`. */
  readonly name: string;
  /** Its page, under which issues are found; null where the forge has no pages. */
  readonly url: string | null;
}

/** The page of an item: its pull request's, if it has one, else the issue's. */
export function linkOf({ url }: Repository, facts: Facts | null): { url: string } | { refusal: string } {
  if (url === null) return { refusal: 'The embedded forge has no pages; look at the repository with git.' };
  if (facts === null || facts.item === null) return { url };
  return { url: facts.revision?.url ?? `${url}/issues/${facts.item.id}` };
}

/** The command that shows an entry's run: how it went, and how to look at its work. */
export function runCommandOf(facts: Facts | null): { command: string } | { refusal: string } {
  const run = facts?.run ?? facts?.lastRun ?? null;
  return run === null ? { refusal: 'No agent has worked on it yet.' } : { command: `decree runs ${run.sessionID}` };
}
