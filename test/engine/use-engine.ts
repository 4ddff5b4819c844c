import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Revision } from '../../src/domain/revision.ts';
import type { TestEngine, TestEngineOptions } from './create-test-engine.ts';
import { createTestEngine } from './create-test-engine.ts';
import { settle } from './until.ts';

export interface EngineBench {
  /** A new folder for each test. */
  folder(): string;
  /** Not started yet; stopped after the test. */
  create(options?: TestEngineOptions): TestEngine;
  /** Started, and come to rest. `prepare` fills the forge before that. */
  start(options?: TestEngineOptions, prepare?: (test: TestEngine) => void): Promise<TestEngine>;
}

/** Engines on fakes for the tests of a file. */
export function useEngine(): EngineBench {
  const engines: TestEngine[] = [];
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'decree-engine-'));
  });
  afterEach(async () => {
    for (const { engine } of engines.splice(0)) {
      void engine.stop();
      await engine.stop(); // asked twice: it does not wait for agents
    }
    await rm(folder, { recursive: true, force: true });
  });

  function create(options: TestEngineOptions = {}): TestEngine {
    // Each in a folder of its own: an engine that is simply never heard of again still holds its lock.
    const made = createTestEngine({ repoRoot: path.join(folder, String(engines.length)), ...options });
    engines.push(made);
    return made;
  }

  return {
    folder: () => folder,
    create,
    start: async (options, prepare = () => {}) => {
      const made = create(options);
      prepare(made);
      await made.engine.start();
      await settle();
      return made;
    },
  };
}

export function revision(details: Partial<Revision>): Revision {
  return {
    id: '10',
    title: 'A change',
    url: 'http://127.0.0.1/pull/10',
    headSHA: 'sha',
    headRef: 'branch',
    author: 'human',
    body: '',
    isDraft: false,
    state: 'open',
    workItemID: null,
    pipeline: { status: 'pending', url: null, reason: null, checkCount: 1 },
    reviewID: null,
    isMergeable: true,
    ...details,
  };
}
