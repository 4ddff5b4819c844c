import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FRESH_EFFORT } from '../../src/domain/effort.ts';
import type { Run } from '../../src/domain/run.ts';
import type { Journal, JournalContents, JournalEntry, Retention } from '../../src/engine/journal-port.ts';
import { restoreState } from '../../src/engine/state-store/restore-state.ts';
import { differingFields } from '../../src/engine/state-store/snapshot-state.ts';
import { createJournalReader } from '../../src/journal/create-journal-reader.ts';
import { createMemoryJournal } from '../../src/journal/create-memory-journal.ts';
import { createSqliteJournal } from '../../src/journal/create-sqlite-journal.ts';
import { event } from '../contracts/journal.contract.test.ts';
import { sampleRun } from '../world/sample-run.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'decree-pruning-'));
});
afterEach(() => rm(folder, { recursive: true }));

type Act =
  | { readonly act: 'dispatch'; readonly item: number }
  | { readonly act: 'begin step' | 'end step' | 'finish' | 'report' | 'publish'; readonly pick: number }
  | { readonly act: 'count'; readonly item: number; readonly rounds: number }
  | { readonly act: 'snapshot' }
  | { readonly act: 'prune'; readonly retention: Retention };

const pick = fc.nat(9);
const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('dispatch'), item: fc.nat(4) }) },
  {
    weight: 9,
    arbitrary: fc.record({
      act: fc.constantFrom('begin step', 'end step', 'finish', 'report', 'publish'),
      pick,
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('count'), item: fc.nat(4), rounds: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('snapshot') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('prune'),
      retention: fc.record({
        snapshots: fc.integer({ min: 1, max: 3 }),
        events: fc.nat(10),
        resultsSince: fc.nat(200),
      }),
    }),
  },
);

/** Plays a history on two journals of which only the first is ever pruned. */
function createPlayer(pruned: Journal, whole: Journal) {
  let seq = 0;
  let runs: Run[] = [];
  let finished: Run[] = [];
  let open: { readonly key: string; readonly sessionID: string }[] = [];
  const both = async (call: (journal: Journal) => Promise<unknown>) => {
    await call(pruned);
    await call(whole);
  };
  const append = (details: Partial<JournalEntry>) => {
    const entry = { event: event(++seq), commands: [], settles: null, rows: [], ...details };
    return both((journal) => journal.append(entry));
  };
  const everyRun = new Map<string, string>();
  const rowOf = (run: Run) => {
    everyRun.set(run.sessionID, run.status);
    return { table: 'runs' as const, id: run.sessionID, row: run };
  };

  async function play(act: Act): Promise<void> {
    switch (act.act) {
      case 'dispatch': {
        const run = runOf(`s${seq}`, String(act.item), seq);
        runs.push(run);
        return append({ rows: [rowOf(run)] });
      }
      case 'finish': {
        const run = runs[act.pick];
        if (run === undefined) return;
        runs = runs.filter((other) => other !== run);
        finished.push({ ...run, status: 'completed', endedAt: seq });
        return both((journal) => journal.saveResult(run.sessionID, { result: resultOf(run.sessionID), usage: null }));
      }
      case 'report': {
        const run = finished[act.pick];
        if (run === undefined) return;
        finished = finished.filter((other) => other !== run);
        const key = `${seq + 1}.0`;
        const { sessionID } = run;
        open.push({ key, sessionID });
        const command = { type: 'publishRevision', workItemID: '1', sessionID, branchName: 'b' } as const;
        return append({ rows: [rowOf(run)], commands: [{ key, lane: '1', command }] });
      }
      case 'publish': {
        const command = open[act.pick];
        if (command === undefined) return;
        open = open.filter((other) => other !== command);
        return append({ settles: command.key });
      }
      case 'begin step':
      case 'end step': {
        const command = open[act.pick];
        if (command === undefined) return;
        if (act.act === 'begin step') return both((journal) => journal.beginStep(command.key, 'create'));
        return both((journal) => journal.endStep(command.key, 'create', '1'));
      }
      case 'count':
        return append({
          rows: [
            { table: 'efforts', id: String(act.item), row: { ...FRESH_EFFORT, reviewRounds: act.rounds } },
            { table: 'planned', id: `docs/specs/${act.item}.md`, row: act.rounds === 0 ? null : String(act.rounds) },
            { table: 'spend', id: `2026-01-0${act.item + 1}`, row: act.rounds },
          ],
        });
      case 'snapshot':
        return both((journal) => journal.saveSnapshot({ seq, version: 1, body: `state ${seq}` }));
      case 'prune':
        while (await pruned.prune(act.retention));
        return;
    }
  }

  /** Sessions whose results a restart, or a command that goes on, will ask for. */
  const needed = () => [...finished, ...open].map(({ sessionID }) => sessionID);
  /** `decree runs` shows them for ever. */
  const runsEver = () => [...everyRun].map(([sessionID, status]) => `${sessionID} ${status}`).sort();
  return { play, needed, runs: runsEver };
}

test('whenever a history is pruned, a restart finds what it would have found without', async () => {
  let n = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 5, maxLength: 80, size: 'max' }), async (history) => {
      const file = path.join(folder, `${n++}.db`);
      const whole = createMemoryJournal();
      const first = createSqliteJournal(file);
      const player = createPlayer(first, whole);
      for (const act of history) await player.play(act);
      await first.close();

      const again = createSqliteJournal(file);
      const [found, expected] = [await again.load(), await whole.load()];
      expect(comparable(found)).toEqual(comparable(expected));
      const state = (contents: JournalContents) => restoreState(contents, contents.openCommands);
      expect(differingFields(state(found), state(expected))).toEqual([]);
      for (const sessionID of player.needed()) {
        expect(await again.loadResult(sessionID)).toEqual(await whole.loadResult(sessionID));
      }
      await expectReplayable(again, whole);
      expect(runsIn(file)).toEqual(player.runs());
      await again.close();
    }),
    { numRuns: 40 },
  );
});

/** From the oldest kept snapshot on, events and commands are complete. */
async function expectReplayable(pruned: Journal, whole: Journal): Promise<void> {
  const kept = await pruned.readEvents(0, 1_000);
  const start = kept[0]?.seq === 1 ? 0 : ((await pruned.readSnapshots())[0]?.seq ?? Infinity);
  const events = await whole.readEvents(start, 1_000);
  expect(await pruned.readEvents(start, 1_000)).toEqual(events);
  for (const { seq } of events) expect(await pruned.readCommands(seq)).toEqual(await whole.readCommands(seq));
}

function comparable(contents: JournalContents) {
  const { runs, lastPlannedSHAs, efforts, spend } = contents;
  return {
    ...contents,
    journalID: 'any',
    runs: [...runs].sort((a, b) => (a.sessionID < b.sessionID ? -1 : 1)),
    lastPlannedSHAs: new Map(lastPlannedSHAs),
    efforts: new Map(efforts),
    spend: new Map(spend),
  };
}

function runsIn(file: string): string[] {
  const reader = createJournalReader(file);
  const runs = reader.runs(1_000).map((run) => `${run.sessionID} ${run.status}`);
  reader.close();
  return runs.sort();
}

function runOf(sessionID: string, workItemID: string, requestedAt: number): Run {
  const start = { from: 'default-branch' } as const;
  const subject = { role: 'implementor', workItemID, branchName: 'b', start, repair: null } as const;
  return sampleRun({ sessionID, subject, requestedAt, startedAt: requestedAt });
}

function resultOf(summary: string) {
  return { role: 'implementor', outcome: 'completed', summary, patch: 'p', baseSHA: 'b', treeSHA: 't' } as const;
}
