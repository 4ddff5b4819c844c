import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface DeadlyGit {
  /** Goes before the real git in a PATH. */
  readonly folder: string;
  /** The commands so far, by their names. */
  commands(): string[];
  /** Kills whoever runs the nth command of this name from now on; once. */
  killAt(name: string, nth: number, when: 'before' | 'after'): void;
}

/** A `git` that notes what it is asked to do, does it, and may kill the process that asked, before or after. */
export function createDeadlyGit(folder: string): DeadlyGit {
  const log = path.join(folder, 'commands');
  const order = path.join(folder, 'kill-at');
  mkdirSync(folder, { recursive: true });
  const git = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  writeFileSync(path.join(folder, 'git'), script({ git, log, order }));
  chmodSync(path.join(folder, 'git'), 0o755);
  return {
    folder,
    commands: () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []),
    killAt: (name, nth, when) => {
      writeFileSync(log, '');
      writeFileSync(order, `${when} ${nth} ${name}\n`);
    },
  };
}

/** The name of a command is its first word that is neither an option nor an option's `name=value`. */
function script({ git, log, order }: { git: string; log: string; order: string }): string {
  return `#!/bin/sh
name=
for word in "$@"; do
  case $word in -* | *=*) ;; *) name=$word; break ;; esac
done
echo "$name" >>'${log}'
if [ -f '${order}' ] && read -r when nth wanted <'${order}' && [ "$name" = "$wanted" ] &&
  [ "$(grep -cx "$name" '${log}')" = "$nth" ] && rm '${order}'; then
  [ "$when" = before ] && kill -9 $PPID && exit 1
  '${git}' "$@"
  kill -9 $PPID
  exit 1
fi
exec '${git}' "$@"
`;
}
