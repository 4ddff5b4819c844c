import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Logger } from './ports.ts';
import type { EngineState } from './state-store/engine-state.ts';

const VERSION = 1;
const schema = z.object({
  version: z.literal(VERSION),
  commitSHA: z.string(),
  files: z.record(z.string(), z.string()),
});

/**
 * `.agentic-workflow-cache.json` in the repository's root: which specs were planned at which text. The journal knows
 * better; the file is written from it after each plan and read only where there is no journal yet.
 */
export interface PlannerCache {
  /** Path -> blob SHA; null if there is no readable file, which means a cold start. Never rejects. */
  read(): Promise<Record<string, string> | null>;
  /** Writes if what is planned has changed. Never rejects. */
  update(before: EngineState, after: EngineState): Promise<void>;
}

export function createPlannerCache(repoRoot: string, logger: Logger): PlannerCache {
  const file = path.join(repoRoot, '.agentic-workflow-cache.json');
  let writing: Promise<void> = Promise.resolve();

  async function write({ commitSHA, lastPlannedSHAs }: EngineState): Promise<void> {
    const entries = [...lastPlannedSHAs].sort(([a], [b]) => (a < b ? -1 : 1));
    const text = JSON.stringify({ version: VERSION, commitSHA, files: Object.fromEntries(entries) }, null, 2);
    try {
      await writeFile(`${file}.new`, `${text}\n`);
      await rename(`${file}.new`, file);
    } catch (error) {
      logger.error({ err: error, file }, 'planner cache could not be written');
    }
  }

  return {
    read: async () => {
      try {
        const { commitSHA, files } = schema.parse(JSON.parse(await readFile(file, 'utf8')));
        logger.debug({ commitSHA, files: Object.keys(files).length }, 'planner cache loaded');
        return files;
      } catch (error) {
        logger.debug({ err: error }, 'planner cache miss: cold start');
        return null;
      }
    },
    update: (before, after) => {
      if (before.lastPlannedSHAs !== after.lastPlannedSHAs) writing = writing.then(() => write(after));
      return writing;
    },
  };
}
