import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Logger } from '../../ports.ts';
import {
  formatEntry,
  formatFooter,
  formatHeader,
  type TranscriptEntry,
  type TranscriptOutcome,
  type TranscriptSubject,
} from './format-transcript.ts';

/** A session's log on disk. Nothing here throws or rejects: a run is never disturbed by its log. */
export interface Transcript {
  /** Null when logging is off or the file could not be made. A file cut short by a full disk keeps its name. */
  readonly path: string | null;
  /** Appends an entry as it happens; entries keep their order. */
  write(entry: TranscriptEntry): void;
  /** Appends the footer and closes the file; resolves when all of it is on disk or given up. */
  end(outcome: TranscriptOutcome): Promise<void>;
}

export interface TranscriptOptions {
  readonly enabled: boolean;
  /** Absolute; made if it is missing. */
  readonly logsDir: string;
  readonly subject: TranscriptSubject;
  readonly clock: Clock;
  readonly logger: Logger;
}

export async function openTranscript(options: TranscriptOptions): Promise<Transcript> {
  const { enabled, logsDir, subject, clock, logger } = options;
  if (!enabled) return { path: null, write() {}, async end() {} };

  const startedAt = clock.now();
  let file: { readonly path: string; readonly handle: FileHandle };
  try {
    await mkdir(logsDir, { recursive: true });
    file = await createFile(logsDir, subject, startedAt);
  } catch (error) {
    logger.warn({ err: error, logsDir, sessionID: subject.sessionID }, 'Session log could not be created');
    return { path: null, write() {}, async end() {} };
  }

  const { path, handle } = file;
  let pending = Promise.resolve();
  let isBroken = false;
  const attempt = (action: () => Promise<unknown>): Promise<void> => {
    pending = pending.then(action).then(
      () => undefined,
      (error: unknown) => {
        if (!isBroken)
          logger.warn({ err: error, path, sessionID: subject.sessionID }, 'Session log could not be written');
        isBroken = true;
      },
    );
    return pending;
  };
  const append = (format: () => string) => attempt(async () => (isBroken ? undefined : handle.appendFile(format())));

  void append(() => formatHeader(subject, startedAt));
  return {
    path,
    write(entry) {
      const at = clock.now();
      void append(() => formatEntry(entry, at));
    },
    async end(outcome) {
      const at = clock.now();
      void append(() => formatFooter(outcome, at));
      await attempt(() => handle.close());
    },
  };
}

/** Two sessions of one role may start in the same millisecond: the later one takes the next free name. */
async function createFile(
  logsDir: string,
  subject: TranscriptSubject,
  startedAt: number,
): Promise<{ path: string; handle: FileHandle }> {
  const item = 'workItemID' in subject ? `-${subject.workItemID.replaceAll(/[^\w.-]/g, '_')}` : '';
  for (let stamp = startedAt; ; stamp += 1) {
    const path = join(logsDir, `${String(stamp)}-${subject.role}${item}.log`);
    try {
      return { path, handle: await open(path, 'ax') };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}
