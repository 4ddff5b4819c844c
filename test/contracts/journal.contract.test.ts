import { afterEach, describe, expect, test } from 'vitest';
import type { AdmittedCommand } from '../../src/domain/command.ts';
import { FRESH_EFFORT } from '../../src/domain/effort.ts';
import type { Event, EventBody } from '../../src/domain/event.ts';
import type { Run } from '../../src/domain/run.ts';
import type { Journal, JournalEntry } from '../../src/engine/journal-port.ts';

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
  return {
    sessionID,
    subject: { role: 'implementor', workItemID: '7', branchName: 'b', start: { from: 'default-branch' }, repair: null },
    attempt: 1,
    rank: 3,
    status: 'running',
    requestedAt: 5,
    startedAt: 6,
    endedAt: null,
    model: null,
    statusBefore: 'ready',
    reservedUSD: 5,
    usage: null,
    logFilePath: null,
    failure: null,
    savedRef: null,
    ...details,
  };
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

function failure() {
  return { kind: 'conflict', message: 'zwei „Welten“', paths: ['a b', 'ü'] };
}
