import { mkdirSync } from 'node:fs';
import path from 'node:path';
import pino from 'pino';
import type { Logger } from '../engine/ports.ts';
import { redactSecrets } from './redact-secrets.ts';

export type LogLevel = 'debug' | 'info' | 'error';

/** JSON lines, to standard error or appended to a file (made if it is missing). Keys and tokens are taken out. */
export function createLogger(level: LogLevel, target: { readonly file: string } | 'stderr'): Logger {
  if (target !== 'stderr') mkdirSync(path.dirname(target.file), { recursive: true });
  const dest = target === 'stderr' ? 2 : target.file;
  // Synchronous, so that the last lines before a crash are there.
  const destination = pino.destination({ dest, sync: true, ...(target !== 'stderr' && { mode: 0o600 }) });
  return pino(
    { level, redact: { paths: REDACTED, censor: '[redacted]' }, hooks: { streamWrite: redactSecrets } },
    destination,
  );
}

const NAMES = ['privateKey', 'token', 'authorization', 'password', 'apiKey'];
const REDACTED = NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
