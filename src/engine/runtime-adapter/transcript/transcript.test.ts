import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Clock, Logger } from '../../ports.ts';
import type { TranscriptEntry } from './format-transcript.ts';
import { openTranscript, type Transcript } from './open-transcript.ts';

const START = Date.UTC(2026, 1, 3, 4, 5, 6, 789);

let dir = '';
let warnings: string[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'decree-transcript-'));
  warnings = [];
});

afterEach(async () => {
  await rm(dir, { recursive: true });
});

function open(logsDir: string, about: { workItemID: string } | { specPaths: string[] } = { workItemID: '12' }) {
  let now = START;
  const clock: Clock = { now: () => (now += 1000) - 1000, after: () => () => undefined };
  const logger: Logger = { debug() {}, info() {}, error() {}, warn: (_, message) => warnings.push(message) };
  const role = 'workItemID' in about ? 'implementor' : 'planner';
  return openTranscript({ enabled: true, logsDir, clock, logger, subject: { role, sessionID: 's-1', ...about } });
}

function textOf(transcript: Transcript): Promise<string> {
  return readFile(transcript.path ?? '', 'utf8');
}

test('a transcript holds a header, one stamped block for each entry and a footer', async () => {
  const transcript = await open(join(dir, 'new', 'logs'));
  const entries: TranscriptEntry[] = [
    { type: 'init', model: 'opus', cwd: '/w', tools: ['Bash', 'Read'] },
    { type: 'text', text: 'Two\nlines' },
    { type: 'tool-use', name: 'Bash' },
    {
      type: 'result',
      subtype: 'success',
      durationMs: 1234,
      costUSD: 0.5,
      turns: 3,
      inputTokens: 10,
      outputTokens: null,
    },
    { type: 'unknown', name: 'user', content: { a: 1 } },
  ];
  for (const entry of entries) transcript.write(entry);
  await transcript.end('completed');

  expect(transcript.path).toBe(join(dir, 'new', 'logs', `${String(START)}-implementor-12.log`));
  expect(await textOf(transcript)).toBe(`=== Agent session ===
Type: implementor
Session: s-1
Work item: 12
Started: 2026-02-03T04:05:06.789Z

[04:05:07] SYSTEM init
  Model: opus
  Folder: /w
  Tools: Bash, Read

[04:05:08] ASSISTANT
  Two
  lines

[04:05:09] ASSISTANT
  [tool_use] Bash

[04:05:10] RESULT success
  Duration: 1.2 s
  Cost: $0.5000
  Turns: 3
  Tokens: 10 in, unknown out

[04:05:11] UNKNOWN user
  {"a":1}

=== Session completed ===
Ended: 2026-02-03T04:05:12.789Z
`);
});

test('a planner is logged under its specs', async () => {
  const transcript = await open(dir, { specPaths: ['docs/specs/a.md', 'docs/specs/b.md'] });
  await transcript.end('failed');
  expect(transcript.path).toBe(join(dir, `${String(START)}-planner.log`));
  expect(await textOf(transcript)).toMatch(/Specs: docs\/specs\/a\.md, docs\/specs\/b\.md\n[^]*=== Session failed ===/);
});

test('two sessions in one millisecond do not share a file', async () => {
  const [first, second] = [await open(dir), await open(dir)];
  await Promise.all([first.end('completed'), second.end('cancelled')]);
  expect(first.path).not.toBe(second.path);
  expect(await textOf(second)).toContain('=== Session cancelled ===');
});

test('a work item id cannot lead out of the folder', async () => {
  const transcript = await open(dir, { workItemID: '../../x' });
  await transcript.end('completed');
  expect(transcript.path).toBe(join(dir, `${String(START)}-implementor-.._.._x.log`));
});

test('a folder that cannot be made is a warning, not an error', async () => {
  await writeFile(join(dir, 'file'), '');
  const transcript = await open(join(dir, 'file', 'logs'));
  transcript.write({ type: 'text', text: 'unseen' });
  await transcript.end('completed');
  expect(transcript.path).toBeNull();
  expect(warnings).toEqual(['Session log could not be created']);
});

test('an entry that cannot be written is a warning once, and the partial file is still named', async () => {
  const transcript = await open(dir);
  await transcript.end('completed');
  transcript.write({ type: 'text', text: 'after the file was closed' });
  transcript.write({ type: 'text', text: 'again' });
  await transcript.end('completed');
  expect(warnings).toEqual(['Session log could not be written']);
  expect(await textOf(transcript)).toContain('Session: s-1');
});

test('an entry that is no JSON is shown all the same, and what follows it too', async () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const hostile = {
    toJSON() {
      throw new Error('no');
    },
  };
  const transcript = await open(dir);
  for (const content of [1n, circular, undefined, hostile]) transcript.write({ type: 'unknown', name: 'odd', content });
  transcript.write({ type: 'text', text: 'still here' });
  await transcript.end('completed');
  expect(warnings).toEqual([]);
  const text = await textOf(transcript);
  for (const part of ['1n', '[Circular *1]', 'undefined', 'cannot be shown: Error: no', 'still here', 'completed']) {
    expect(text).toContain(part);
  }
});

test('when logging is off there is no file', async () => {
  const logger: Logger = { debug() {}, info() {}, error() {}, warn() {} };
  const transcript = await openTranscript({
    enabled: false,
    logsDir: dir,
    subject: { role: 'planner', sessionID: 's', specPaths: [] },
    clock: { now: () => 0, after: () => () => undefined },
    logger,
  });
  transcript.write({ type: 'tool-use', name: 'Bash' });
  await transcript.end('completed');
  expect(transcript.path).toBeNull();
});
