import { openTranscript } from '../../src/engine/runtime-adapter/transcript/open-transcript.ts';
import { systemClock } from '../../src/engine/system-clock.ts';

/**
 * Writes a transcript in a process of its own, for a test that limits how large its files may grow: `node <this> <folder>`.
 * Prints, as JSON, the warnings and whether the transcript kept its name.
 */
export const TRANSCRIPT_PROCESS = import.meta.filename;

if (import.meta.main) {
  const warnings: unknown[] = [];
  const transcript = await openTranscript({
    enabled: true,
    logsDir: process.argv[2] ?? '',
    subject: { role: 'implementor', sessionID: 's', workItemID: '7' },
    clock: systemClock,
    logger: {
      debug() {},
      info() {},
      error() {},
      warn: (fields, message) => warnings.push({ message, why: 'err' in fields ? String(fields.err) : '' }),
    },
  });
  for (let entry = 0; entry < 20; entry++) transcript.write({ type: 'text', text: 'x'.repeat(10_000) });
  await transcript.end('completed');
  console.log(JSON.stringify({ warnings, isNamed: transcript.path !== null }));
}
