import { afterEach, describe, expect, test } from 'vitest';
import type { AdmittedCommand } from '../../src/domain/command.ts';
import { FRESH_EFFORT } from '../../src/domain/effort.ts';
import type { Event, EventBody } from '../../src/domain/event.ts';
import type { Run } from '../../src/domain/run.ts';
import type { Journal, JournalEntry, Retention } from '../../src/engine/journal-port.ts';
import { sampleRun } from '../world/sample-run.ts';

export interface JournalHarness {
  /** Opens the journal, or opens it again with what it held. */
  open(): Promise<Journal>;
  dispose(): Promise<void>;
}

export function event(seq: number, body: EventBody = { type: 'retryDue', effort: '7' }): Event {
  return { seq, at: 1_000 + seq, id: `00000000-0000-4000-8000-00000000000${seq}`, readSeq: null, body };
}

export function entry(seq: number, details: Partial<JournalEntry> = {}): JournalEntry {
  return { event: event(seq), commands: [], settles: null, rows: [], ...details };
}

function transition(key: string, workItemID = '7'): AdmittedCommand {
  const command = { type: 'transitionStatus', workItemID, to: 'ready', cause: 'workflow', comment: null } as const;
  return { key, lane: workItemID, command };
}

function run(sessionID: string, details: Partial<Run> = {}): Run {
  return sampleRun({ sessionID, ...details });
}

/** What every journal must do, whatever it is made of. */
export function journalContract(name: string, createHarness: () => Promise<JournalHarness>): void {
  describe(`the journal contract, ${name}`, () => {
    let harness: JournalHarness | null = null;
    afterEach(async () => harness?.dispose());

    async function setUp(): Promise<{ journal: Journal; reopen: () => Promise<Journal> }> {
      const made = await createHarness();
      harness = made;
      const journal = await made.open();
      return { journal, reopen: () => made.open() };
    }

    test('a new journal is empty', async () => {
      const { journal } = await setUp();
      const nothing = {
        lastSeq: 0,
        lastSnapshotSeq: 0,
        runs: [],
        plans: [],
        lastPlannedSHAs: [],
        efforts: [],
        spend: [],
        openCommands: [],
      };
      const { journalID, ...contents } = await journal.load();
      expect(contents).toEqual(nothing);
      expect(journalID).toMatch(/^[0-9a-f]{8}$/);
      expect((await journal.load()).journalID).toBe(journalID);
    });

    test('an event comes back with its commands, byte for byte and in order', async () => {
      const { journal, reopen } = await setUp();
      const commands = [transition('1.0'), transition('1.1', '8')];
      const odd = event(1, {
        type: 'commandFailed',
        command: transition('0.0').command,
        failure: failure(),
        settles: '0.0',
      });
      await journal.append(entry(1, { event: { ...odd, readSeq: 12 }, commands }));
      await journal.append(entry(2));
      const again = await reopen();
      expect(await again.readEvents(0, 10)).toEqual([{ ...odd, readSeq: 12 }, event(2)]);
      expect(await again.readEvents(1, 10)).toEqual([event(2)]);
      expect(await again.readCommands(1)).toEqual(commands);
      expect((await again.load()).lastSeq).toBe(2);
    });

    test('a command is open until an event settles it', async () => {
      const { journal, reopen } = await setUp();
      await journal.append(entry(1, { commands: [transition('1.0'), transition('1.1')] }));
      await journal.append(entry(2, { settles: '1.0' }));
      const { openCommands } = await (await reopen()).load();
      expect(openCommands.map(({ key }) => key)).toEqual(['1.1']);
    });

    test('open commands come back in the order in which they were admitted, the tenth after the ninth', async () => {
      const { journal, reopen } = await setUp();
      const keys = Array.from({ length: 12 }, (_, n) => `1.${n}`);
      await journal.append(entry(1, { commands: keys.map((key) => transition(key)) }));
      const { openCommands } = await (await reopen()).load();
      expect(openCommands.map(({ key }) => key)).toEqual(keys);
    });

    test('steps are remembered as begun or done, in order, until their command is settled', async () => {
      const { journal, reopen } = await setUp();
      await journal.append(entry(1, { commands: [transition('1.0')] }));
      await journal.beginStep('1.0', 'comment');
      await journal.endStep('1.0', 'comment', '"12"');
      await journal.beginStep('1.0', 'set status');
      await journal.beginStep('1.0', 'comment'); // begun again: stays done
      const again = await reopen();
      expect((await again.load()).openCommands[0]?.steps).toEqual([
        { name: 'comment', outcome: '"12"' },
        { name: 'set status', outcome: null },
      ]);
      await again.append(entry(2, { settles: '1.0' }));
      expect((await again.load()).openCommands).toEqual([]);
    });

    test('a step that is taken back was never begun', async () => {
      const { journal, reopen } = await setUp();
      await journal.append(entry(1, { commands: [transition('1.0')] }));
      await journal.beginStep('1.0', 'comment');
      await journal.beginStep('1.0', 'set status');
      await journal.dropStep('1.0', 'set status');
      await journal.dropStep('1.0', 'unheard of');
      const again = await reopen();
      expect((await again.load()).openCommands[0]?.steps).toEqual([{ name: 'comment', outcome: null }]);
      await again.beginStep('1.0', 'set status');
      expect((await again.load()).openCommands[0]?.steps.map(({ name }) => name)).toEqual(['comment', 'set status']);
    });

    test('rows are replaced and deleted by their id', async () => {
      const { journal, reopen } = await setUp();
      const effort = { ...FRESH_EFFORT, reviewRounds: 1 };
      await journal.append(
        entry(1, {
          rows: [
            { table: 'runs', id: 's1', row: run('s1') },
            { table: 'planned', id: 'docs/specs/a.md', row: 'aaa' },
            { table: 'planned', id: 'docs/specs/b.md', row: 'bbb' },
            { table: 'efforts', id: '7', row: effort },
            { table: 'spend', id: '2026-01-31', row: 1.5 },
          ],
        }),
      );
      await journal.append(
        entry(2, {
          rows: [
            { table: 'planned', id: 'docs/specs/a.md', row: 'ccc' },
            { table: 'planned', id: 'docs/specs/b.md', row: null },
            { table: 'spend', id: '2026-01-31', row: 2.25 },
          ],
        }),
      );
      const contents = await (await reopen()).load();
      expect(contents.runs).toEqual([run('s1')]);
      expect(contents.lastPlannedSHAs).toEqual([['docs/specs/a.md', 'ccc']]);
      expect(contents.efforts).toEqual([['7', effort]]);
      expect(contents.spend).toEqual([['2026-01-31', 2.25]]);
    });

    test('of finished runs, only the newest of each work item comes back', async () => {
      const { journal, reopen } = await setUp();
      const old = run('s1', { status: 'failed', endedAt: 9, requestedAt: 1 });
      const newest = run('s2', { status: 'completed', endedAt: 20, requestedAt: 10 });
      const live = run('s3', { requestedAt: 30 });
      const rows = [old, newest, live].map((row) => ({ table: 'runs' as const, id: row.sessionID, row }));
      await journal.append(entry(1, { rows }));
      const { runs } = await (await reopen()).load();
      expect(runs.map(({ sessionID }) => sessionID).sort()).toEqual(['s2', 's3']);
    });

    test('several entries are one after the other in the journal, as if each had been appended', async () => {
      const { journal, reopen } = await setUp();
      await journal.appendAll([
        entry(1, { commands: [transition('1.0'), transition('1.1')] }),
        entry(2, { settles: '1.0', rows: [{ table: 'spend', id: '2026-01-31', row: 1 }] }),
        entry(3, { rows: [{ table: 'spend', id: '2026-01-31', row: 2 }] }),
      ]);
      const again = await reopen();
      expect((await again.readEvents(0, 10)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
      const { openCommands, spend, lastSeq } = await again.load();
      expect(openCommands.map(({ key }) => key)).toEqual(['1.1']);
      expect(spend).toEqual([['2026-01-31', 2]]);
      expect(lastSeq).toBe(3);
    });

    test('snapshots come back as they were saved, oldest first; one of the same event replaces the other', async () => {
      const { journal, reopen } = await setUp();
      await journal.saveSnapshot({ seq: 9, version: 1, body: 'nine' });
      await journal.saveSnapshot({ seq: 5, version: 1, body: 'five' });
      await journal.saveSnapshot({ seq: 9, version: 2, body: '{"x":"ü \u0000 \u{1f600}"}' });
      const again = await reopen();
      expect(await again.readSnapshots()).toEqual([
        { seq: 5, version: 1, body: 'five' },
        { seq: 9, version: 2, body: '{"x":"ü \u0000 \u{1f600}"}' },
      ]);
      expect(await again.load()).toMatchObject({ lastSnapshotSeq: 9, lastSeq: 9 });
    });

    test('what is older than the oldest kept snapshot is pruned, and numbers are never given twice', async () => {
      const { journal, reopen } = await setUp();
      for (let seq = 1; seq <= 9; seq++) {
        await journal.append(entry(seq, { commands: [transition(`${seq}.0`)], settles: settledAt(seq) }));
        if (seq % 3 === 0) await journal.saveSnapshot({ seq, version: 1, body: `state ${seq}` });
      }
      await pruneAll(journal, { snapshots: 2, events: 0, resultsSince: 0 });
      const again = await reopen();
      expect((await again.readSnapshots()).map(({ seq }) => seq)).toEqual([6, 9]);
      expect((await again.readEvents(0, 10)).map(({ seq }) => seq)).toEqual([7, 8, 9]);
      expect(await again.readCommands(5)).toEqual([]);
      expect((await again.readCommands(7)).map(({ key }) => key)).toEqual(['7.0']);
      await pruneAll(again, { snapshots: 1, events: 0, resultsSince: 0 });
      expect(await again.readEvents(0, 10)).toEqual([]);
      expect((await again.load()).lastSeq).toBe(9);
    });

    test('without a snapshot no event is pruned, and the newest ones are kept in any case', async () => {
      const { journal } = await setUp();
      for (let seq = 1; seq <= 9; seq++) await journal.append(entry(seq));
      await pruneAll(journal, { snapshots: 2, events: 0, resultsSince: 0 });
      expect(await journal.readEvents(0, 10)).toHaveLength(9);
      await journal.saveSnapshot({ seq: 9, version: 1, body: '' });
      await pruneAll(journal, { snapshots: 2, events: 4, resultsSince: 0 });
      expect((await journal.readEvents(0, 10)).map(({ seq }) => seq)).toEqual([6, 7, 8, 9]);
    });

    test('an open command outlives its event, with its steps', async () => {
      const { journal, reopen } = await setUp();
      await journal.append(entry(1, { commands: [transition('1.0'), transition('1.1', '8')] }));
      await journal.beginStep('1.0', 'comment');
      await journal.append(entry(2, { settles: '1.1' }));
      await journal.saveSnapshot({ seq: 2, version: 1, body: '' });
      await pruneAll(journal, { snapshots: 1, events: 0, resultsSince: 0 });
      const again = await reopen();
      expect((await again.load()).openCommands).toEqual([
        { ...transition('1.0'), steps: [{ name: 'comment', outcome: null }] },
      ]);
      await again.append(entry(3, { settles: '1.0' }));
      await pruneAll(again, { snapshots: 1, events: 0, resultsSince: 0 });
      expect(await again.readCommands(1)).toEqual([]);
    });

    test('results of runs that ended long ago are pruned, unless a run or a command may still need them', async () => {
      const { journal, reopen } = await setUp();
      const sessions = ['old', 'young', 'live', 'open', 'unknown'];
      for (const sessionID of sessions) await journal.saveResult(sessionID, { result: RESULT, usage: null });
      const ended = (sessionID: string, endedAt: number) => run(sessionID, { status: 'completed', endedAt });
      const rows = [ended('old', 10), ended('young', 100), run('live'), ended('open', 10)];
      const command = { type: 'publishRevision', workItemID: '7', sessionID: 'open', branchName: 'b' } as const;
      await journal.append(
        entry(1, {
          rows: rows.map((row) => ({ table: 'runs' as const, id: row.sessionID, row })),
          commands: [{ key: '1.0', lane: '7', command }],
        }),
      );
      await pruneAll(journal, { snapshots: 1, events: 0, resultsSince: 100 });
      const again = await reopen();
      const kept: string[] = [];
      for (const id of sessions) if ((await again.loadResult(id)) !== null) kept.push(id);
      expect(kept).toEqual(['young', 'live', 'open', 'unknown']);
      expect((await again.load()).runs.length).toBeGreaterThan(0);
    });

    test("an agent's result is kept with its patch, whatever is in it", async () => {
      const { journal, reopen } = await setUp();
      const patch = 'diff --git a/x b/x\n\\ No newline \u0000 \u{1f600} \r\n';
      const result = {
        role: 'implementor',
        outcome: 'completed',
        summary: 's',
        patch,
        baseSHA: 'b',
        treeSHA: 't',
      } as const;
      const usage = { model: 'm', turns: 1, inputTokens: 2, outputTokens: 3, costUSD: 0.5, durationMs: 4 };
      await journal.saveResult('s1', { result, usage });
      const again = await reopen();
      expect(await again.loadResult('s1')).toEqual({ result, usage });
      expect(await again.loadResult('unknown')).toBeNull();
    });
  });
}

const RESULT = {
  role: 'implementor',
  outcome: 'completed',
  summary: 's',
  patch: 'p',
  baseSHA: 'b',
  treeSHA: 't',
} as const;

/** Each event settles the command of the one before. */
function settledAt(seq: number): string | null {
  return seq === 1 ? null : `${seq - 1}.0`;
}

async function pruneAll(journal: Journal, retention: Retention): Promise<void> {
  while (await journal.prune(retention));
}

function failure() {
  return { kind: 'conflict', message: 'zwei „Welten“', paths: ['a b', 'ü'] };
}
