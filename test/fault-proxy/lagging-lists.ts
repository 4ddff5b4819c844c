import { z } from 'zod';
import type { ProxiedAnswer, ProxiedRequest } from './fault.ts';

/** What a forge's lists looked like a moment ago. */
export interface LaggingLists {
  /** To be told of every answer of the forge. */
  note(request: ProxiedRequest, answer: ProxiedAnswer): void;
  /** The answer to a list request as it may have been `lagMs` ago; the answer itself if it is no list. */
  before(request: ProxiedRequest, answer: ProxiedAnswer, lagMs: number): ProxiedAnswer;
}

const Entry = z.looseObject({ id: z.number(), url: z.string().optional(), html_url: z.string().optional() });
const List = z.array(Entry);

export function createLaggingLists(): LaggingLists {
  const answers = new Map<string, { readonly at: number; readonly answer: ProxiedAnswer }[]>();
  const births = new Map<string, number>();

  return {
    note({ method, path }, answer) {
      const now = performance.now();
      const json = parse(answer.body);
      if (method === 'POST' && answer.status === 201) {
        const made = Entry.safeParse(json);
        if (made.success) births.set(nameOf(made.data), now);
      }
      if (method !== 'GET' || answer.status !== 200 || !List.safeParse(json).success) return;
      answers.set(path, [...(answers.get(path) ?? []), { at: now, answer }].slice(-KEPT));
    },

    before({ path }, answer, lagMs) {
      const list = List.safeParse(parse(answer.body));
      if (!list.success) return answer;
      const since = performance.now() - lagMs;
      const known = answers.get(path) ?? [];
      // Oldest first: the one that lags most.
      const older = known.find(({ at }) => at >= since);
      if (older !== undefined && older.answer !== answer) return older.answer;
      // Nobody has asked for it lately: whatever was made since is not there yet.
      const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => name !== 'etag'));
      const entries = list.data.filter((entry) => (births.get(nameOf(entry)) ?? 0) < since);
      return entries.length === list.data.length ? answer : { ...answer, headers, body: JSON.stringify(entries) };
    },
  };
}

const KEPT = 20;

function nameOf({ id, url, html_url }: z.infer<typeof Entry>): string {
  return html_url ?? url ?? String(id);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
