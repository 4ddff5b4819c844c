import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Real bash with harmless stand-ins for every program: it tells what a command would have called. */
export interface BashOracle {
  /** The calls that the command makes, as their arguments; none of which may be empty. */
  callsOf(command: string): string[][];
  close(): void;
}

/** Run for real: they only run or pass on what they are given. */
export const REAL_PROGRAMS = ['env', 'nohup', 'nice', 'timeout', 'stdbuf', 'xargs', 'cat', 'true', 'false'];

export function createBashOracle(standIns: readonly string[]): BashOracle {
  const folder = mkdtempSync(join(tmpdir(), 'bash-oracle-'));
  const programs = join(folder, 'bin');
  const trace = join(folder, 'trace');
  mkdirSync(programs);
  for (const name of standIns) {
    writeFileSync(join(programs, name), `#!/bin/bash\n{ printf '%s\\0' ${name} "$@"; printf '\\0'; } >> "$TRACE"\n`);
    chmodSync(join(programs, name), 0o755);
  }
  for (const name of REAL_PROGRAMS) {
    const real = ['/usr/bin', '/bin'].map((place) => join(place, name)).find((file) => existsSync(file));
    if (real !== undefined) symlinkSync(real, join(programs, name));
  }
  return {
    callsOf(command) {
      writeFileSync(trace, '');
      spawnSync('/bin/bash', ['-c', command], {
        cwd: folder,
        env: { PATH: programs, TRACE: trace },
        stdio: 'ignore',
        timeout: 10_000,
      });
      const records = readFileSync(trace, 'utf8').split('\0\0');
      return records.filter((record) => record !== '').map((record) => record.split('\0'));
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
