import type { ConfigInput } from '../../src/config/schema.ts';
import type { Policy } from '../../src/engine/command-executor/admit-commands.ts';
import type { EngineOptions } from '../../src/engine/create-engine.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { Engine, EngineEvent } from '../../src/engine/engine-types.ts';
import type { Journal } from '../../src/engine/journal-port.ts';
import type { Logger } from '../../src/engine/ports.ts';
import { createMemoryJournal } from '../../src/journal/create-memory-journal.ts';
import type { FakeForge } from './fake-forge.ts';
import { createFakeForge } from './fake-forge.ts';
import type { FakeRuntime } from './fake-runtime.ts';
import { createFakeRuntime } from './fake-runtime.ts';
import type { ManualClock } from './manual-clock.ts';
import { createManualClock } from './manual-clock.ts';

export interface TestEngine {
  readonly engine: Engine;
  readonly forge: FakeForge;
  readonly runtime: FakeRuntime;
  readonly clock: ManualClock;
  readonly journal: Journal;
  readonly events: EngineEvent[];
  readonly log: { readonly level: string; readonly fields: object; readonly message: string }[];
}

export interface TestEngineOptions {
  readonly config?: Omit<Extract<ConfigInput, { forge: 'embedded' }>, 'forge'>;
  readonly repoRoot?: string;
  readonly onFirstRun?: EngineOptions['onFirstRun'];
  readonly policy?: Policy;
  readonly forge?: FakeForge;
  readonly runtime?: FakeRuntime;
  readonly clock?: ManualClock;
  readonly journal?: Journal;
}

/** The real engine on fakes of everything outside it. Time stands still unless the test moves it. */
export function createTestEngine(options: TestEngineOptions = {}): TestEngine {
  const { forge = createFakeForge(), runtime = createFakeRuntime(), clock = createManualClock() } = options;
  const { journal = createMemoryJournal(), policy } = options;
  const events: EngineEvent[] = [];
  const log: TestEngine['log'] = [];
  const write = (level: string) => (fields: object, message: string) => void log.push({ level, fields, message });
  const logger: Logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const engine = createEngine({
    config: { ...options.config, forge: 'embedded' },
    repoRoot: options.repoRoot ?? '/nowhere',
    provider: forge.provider,
    runtime: () => runtime.adapter,
    journal,
    logger,
    clock,
    ...(policy === undefined ? {} : { policy }),
    ...(options.onFirstRun === undefined ? {} : { onFirstRun: options.onFirstRun }),
  });
  engine.on((event) => void events.push(event));
  return { engine, forge, runtime, clock, journal, events, log };
}
