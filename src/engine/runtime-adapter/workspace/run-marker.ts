import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readText } from './read-text.ts';

/**
 * Says whose worktree this is, in its administrative folder. After a crash the next process finds by it what to save
 * and under which name.
 */
const RunMarkerSchema = z.object({
  sessionID: z.string(),
  /** The process that works on it. */
  owner: z.string(),
  start: z.object({ commit: z.string(), tree: z.string() }),
});
export type RunMarker = z.infer<typeof RunMarkerSchema>;

/** Process ids come again, in containers at every start: the time makes it unique. */
export const THIS_PROCESS = `${process.pid}@${Math.round(performance.timeOrigin)}`;

export async function writeMarker(adminFolder: string, marker: RunMarker): Promise<void> {
  await writeFile(join(adminFolder, FILE), JSON.stringify(marker));
}

/** Null if there is none, or none that can be read. */
export async function readMarker(adminFolder: string): Promise<RunMarker | null> {
  const text = (await readText(join(adminFolder, FILE))) ?? 'null';
  try {
    return RunMarkerSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const FILE = 'decree-run';
