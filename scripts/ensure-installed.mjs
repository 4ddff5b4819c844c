// Runs before `npm start` and `npm test` on whatever Node the machine has, so it is plain JavaScript without
// dependencies: installs exactly what the lock file says when node_modules is missing or older than it.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');

function modifiedAt(file) {
  try {
    return statSync(path.join(root, file)).mtimeMs;
  } catch {
    return -1; // not there
  }
}

if (modifiedAt('node_modules/.package-lock.json') < modifiedAt('package-lock.json')) {
  console.log('Installing dependencies (once, about half a minute) ...');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const result = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: 'inherit' });
  if (result.status !== 0) {
    console.error('decree: `npm ci` failed. See the lines above; decree needs the npm registry once.');
    process.exit(result.status ?? 1);
  }
}
