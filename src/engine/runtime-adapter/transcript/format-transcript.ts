import { inspect } from 'node:util';

/** One thing that happened in a session, in words that fit any runtime. */
export type TranscriptEntry =
  | { readonly type: 'init'; readonly model: string; readonly cwd: string; readonly tools: readonly string[] }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-use'; readonly name: string }
  | {
      readonly type: 'result';
      readonly subtype: string;
      readonly durationMs: number;
      readonly costUSD: number | null;
      readonly turns: number | null;
      readonly inputTokens: number | null;
      readonly outputTokens: number | null;
    }
  | { readonly type: 'unknown'; readonly name: string; readonly content: unknown };

export type TranscriptOutcome = 'completed' | 'failed' | 'cancelled';

/** What a session is about, as far as its log tells; start params are one. */
export type TranscriptSubject = { readonly role: string; readonly sessionID: string } & (
  { readonly workItemID: string } | { readonly specPaths: readonly string[] }
);

export function formatHeader(subject: TranscriptSubject, startedAt: number): string {
  const about = 'workItemID' in subject ? `Work item: ${subject.workItemID}` : `Specs: ${subject.specPaths.join(', ')}`;
  return [
    '=== Agent session ===',
    `Type: ${subject.role}`,
    `Session: ${subject.sessionID}`,
    about,
    `Started: ${new Date(startedAt).toISOString()}`,
    '',
    '',
  ].join('\n');
}

export function formatEntry(entry: TranscriptEntry, at: number): string {
  const [title, body] = titleAndBody(entry);
  return `[${new Date(at).toISOString().slice(11, 19)}] ${title}\n${indent(body)}\n\n`;
}

export function formatFooter(outcome: TranscriptOutcome, endedAt: number): string {
  return `=== Session ${outcome} ===\nEnded: ${new Date(endedAt).toISOString()}\n`;
}

function titleAndBody(entry: TranscriptEntry): readonly [title: string, body: string] {
  if (entry.type === 'init') {
    return ['SYSTEM init', `Model: ${entry.model}\nFolder: ${entry.cwd}\nTools: ${entry.tools.join(', ')}`];
  }
  if (entry.type === 'text') return ['ASSISTANT', entry.text];
  if (entry.type === 'tool-use') return ['ASSISTANT', `[tool_use] ${entry.name}`];
  if (entry.type === 'result') return [`RESULT ${entry.subtype}`, resultLines(entry)];
  return [`UNKNOWN ${entry.name}`, describe(entry.content)];
}

/** As JSON where that is possible; a circular value, or a bigint, as Node shows it. */
function describe(content: unknown): string {
  try {
    return JSON.stringify(content) ?? 'undefined';
  } catch (error) {
    if (error instanceof TypeError) return inspect(content);
    return `[cannot be shown: ${String(error)}]`;
  }
}

function resultLines(entry: Extract<TranscriptEntry, { type: 'result' }>): string {
  const { durationMs, costUSD, turns, inputTokens, outputTokens } = entry;
  return [
    `Duration: ${(durationMs / 1000).toFixed(1)} s`,
    `Cost: ${costUSD === null ? 'unknown' : `$${costUSD.toFixed(4)}`}`,
    `Turns: ${String(turns ?? 'unknown')}`,
    `Tokens: ${String(inputTokens ?? 'unknown')} in, ${String(outputTokens ?? 'unknown')} out`,
  ].join('\n');
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
