import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Engine, EngineEvent } from '../engine/engine-types.ts';
import { createEmbeddedForge } from '../forge/create-embedded-forge.ts';
import type { EmbeddedForge } from '../forge/create-embedded-forge.ts';
import { createSqliteJournal } from '../journal/create-sqlite-journal.ts';
import { createDemoEngine } from './create-demo-engine.ts';
import type { DemoEngineOptions } from './create-demo-engine.ts';
import { createDemoRecord } from './demo-record.ts';
import type { DemoItem } from './demo-record.ts';
import { describeEvent, saying } from './describe-event.ts';
import { mergeAsHuman } from './play-human.ts';
import { SAMPLE_CI_COMMAND, SPEC_PATH, seedSampleRepository } from './sample-repository.ts';

export interface DemoOptions extends Pick<DemoEngineOptions, 'logger' | 'environment' | 'paceMs'> {
  readonly print: (line: string) => void;
  /** How long the whole may take. */
  readonly timeoutMs: number;
  /** Where to put the sample; default: a new temporary folder, which is left for a look. */
  readonly folder?: string;
  /** Ends it early. */
  readonly signal?: AbortSignal;
  /** Starts the engine and shows it until there is nothing more to see. Default: starts it and waits for the end. */
  readonly show?: (engine: Engine, repository: string) => Promise<void>;
}

export interface DemoResult {
  readonly folder: string;
  readonly items: readonly DemoItem[];
  /** Whether every item was merged and closed. */
  readonly isComplete: boolean;
  readonly durationMs: number;
}

const PLANNED_ITEMS = 3;
const CONFIG = "export default { forge: 'embedded', agents: { dispatch: 'auto' } };\n";

/** The whole loop on the embedded forge: from an approved spec to merged pull requests, with scripted agents. */
export async function runDemo(options: DemoOptions): Promise<DemoResult> {
  const { print } = options;
  const begun = Date.now();
  const folder = options.folder ?? (await mkdtemp(path.join(os.tmpdir(), 'decree-demo-')));
  const repoRoot = path.join(folder, 'measure');
  await mkdir(repoRoot, { recursive: true });
  await using opened = new AsyncDisposableStack();
  const ci = { command: SAMPLE_CI_COMMAND };
  const forge = await createEmbeddedForge({ dir: path.join(folder, 'forge'), repo: 'measure', ci });
  opened.defer(() => forge.close());
  const journal = createSqliteJournal(path.join(repoRoot, '.decree', 'journal.db'));
  opened.defer(() => journal.close());
  print(`The embedded forge listens on ${forge.url}.`);
  await seedSampleRepository(repoRoot, forge.gitURL);
  print(`A human approved ${SPEC_PATH}.`);
  // For whoever looks at it afterwards with `decree runs` or `decree replay`.
  await writeFile(path.join(repoRoot, 'decree.config.ts'), CONFIG);

  const engine = createDemoEngine({ ...options, forge, repoRoot, journal });
  const { items, endedAt } = await play(engine, forge, options);
  return { folder, items, isComplete: isAllClosed(items), durationMs: endedAt - begun };
}

interface Ending {
  readonly items: readonly DemoItem[];
  /** When the last item was closed, or when it was left. */
  readonly endedAt: number;
}

/** Prints what happens, merges what is approved as the human would, and ends when every item is closed. */
async function play(engine: Engine, forge: EmbeddedForge, options: DemoOptions): Promise<Ending> {
  const { print, timeoutMs, paceMs, signal, logger } = options;
  const record = createDemoRecord(Date.now);
  const done = Promise.withResolvers<void>();
  const timer = setTimeout(done.resolve, timeoutMs);
  const merges = new Set<NodeJS.Timeout>();
  let endedAt: number | null = null;
  signal?.addEventListener('abort', () => done.resolve(), { once: true });

  function mergeSoon(number: number): void {
    const prNumber = record.get(number)?.prNumber ?? null;
    if (prNumber === null) return;
    const timer = setTimeout(() => {
      merges.delete(timer);
      print(`  ${saying('human', `merges #${prNumber}`)}`);
      mergeAsHuman(forge, prNumber).then(
        () => engine.refresh(),
        (error: unknown) => {
          // At the screen a person may have been faster.
          if (options.show === undefined) done.reject(error);
          else logger.info({ err: error }, 'the pull request was not merged by the script');
        },
      );
    }, paceMs);
    merges.add(timer);
  }

  function follow(event: EngineEvent): void {
    const line = describeEvent(event);
    if (line !== null) print(`  ${line}`);
    record.add(event);
    if (event.type === 'issueStatusChanged' && event.newStatus === 'approved') mergeSoon(event.issueNumber);
    if (endedAt !== null || !isAllClosed(record.items())) return;
    endedAt = Date.now();
    done.resolve();
  }

  async function waitForEnd(): Promise<void> {
    await engine.start();
    await done.promise;
  }

  const unsubscribe = engine.on(follow);
  try {
    if (options.show === undefined) await waitForEnd();
    else await options.show(engine, `${forge.owner}/${forge.repo}`);
  } finally {
    clearTimeout(timer);
    for (const merge of merges) clearTimeout(merge);
    unsubscribe();
    await engine.stop();
  }
  return { items: record.items(), endedAt: endedAt ?? Date.now() };
}

function isAllClosed(items: readonly DemoItem[]): boolean {
  return items.length === PLANNED_ITEMS && items.every((item) => item.status === 'closed');
}
