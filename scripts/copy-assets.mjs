// tsc copies no files but its own output: what modules read beside themselves is copied here.
import { cpSync, readdirSync } from 'node:fs';
import path from 'node:path';

for (const entry of readdirSync('src', { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !entry.name.endsWith('.md')) continue;
  const file = path.join(entry.parentPath, entry.name);
  cpSync(file, path.join('dist', path.relative('src', file)), { recursive: true });
}
