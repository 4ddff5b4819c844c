import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createScriptedAdapter } from '../../src/engine/runtime-adapter/scripted/create-scripted-adapter.ts';
import { createDecreeClone } from '../../src/engine/runtime-adapter/workspace/decree-clone.ts';
import { runCommand } from '../../src/engine/runtime-adapter/workspace/run-command.ts';
import { COMPLETED, runError, useBench } from './runtime-adapter-bench.ts';

const bench = useBench(() => ({
  createAdapter: async (config, deps, steps) => createScriptedAdapter({ ...config, script: () => steps }, deps),
  close: async () => undefined,
}));

/** Makes a repository in `sub` that the worktree's index knows as a submodule, and leaves a change in it that git must read to see. */
const SUBMODULE =
  'git init -q sub && (cd sub && echo a > f && git add f && git -c user.name=x -c user.email=x commit -qm a) && ' +
  'git add sub && echo b > sub/f && ';
const EVIL = 'filter.evil.clean "touch $TRAP; cat"';
const ATTRIBUTES = "echo '* filter=evil diff=evil merge=evil' > ";

/** Each would make the engine's own git run a program, `touch $TRAP`, with the engine's rights. */
const TRAPS: readonly (readonly [name: string, script: string])[] = [
  ['filters of a repository in the folder', `${SUBMODULE} git -C sub config ${EVIL}; ${ATTRIBUTES} sub/.gitattributes`],
  ['monitors of a repository in the folder', `${SUBMODULE} git -C sub config core.fsmonitor "touch $TRAP; false"`],
  ['filters in the settings of the clone', `git config ${EVIL}; ${ATTRIBUTES} .gitattributes`],
  [
    'filters in the settings of the worktree',
    `git config extensions.worktreeConfig true; git config --worktree ${EVIL}; ${ATTRIBUTES} .gitattributes`,
  ],
  [
    'settings that are a link',
    `git config -f evil ${EVIL}; ln -sf $PWD/evil $COMMON/config; ${ATTRIBUTES} .gitattributes`,
  ],
  [
    'another repository in the place of .git',
    `git init -q --bare evil; git -C evil config ${EVIL}; echo "gitdir: $PWD/evil" > .git; ${ATTRIBUTES} .gitattributes`,
  ],
  [
    'another repository behind the worktree’s own data',
    `git init -q --bare evil; git -C evil config ${EVIL}; echo $PWD/evil > $ADMIN/commondir; ${ATTRIBUTES} .gitattributes`,
  ],
  [
    'hooks',
    'mkdir -p $COMMON/hooks; printf "#!/bin/sh\\ntouch $TRAP" > $COMMON/hooks/post-index-change; chmod +x $COMMON/hooks/*',
  ],
  ['attributes in the clone', `mkdir -p $COMMON/info; ${ATTRIBUTES} $COMMON/info/attributes; git config ${EVIL}`],
];

/** Each leaves something in a place where the engine expects something else. */
const OBSTACLES: readonly (readonly [name: string, script: string])[] = [
  ['a folder for the settings of the clone', 'rm $COMMON/config; mkdir -p $COMMON/config/x'],
  ['a pipe for the settings of the clone', 'rm $COMMON/config; mkfifo $COMMON/config'],
  ['a pipe for the index', 'rm $ADMIN/index; mkfifo $ADMIN/index'],
  ['a pipe for HEAD', 'rm $ADMIN/HEAD; mkfifo $ADMIN/HEAD'],
  ['a pipe for the mark of the run', 'rm $ADMIN/decree-run; mkfifo $ADMIN/decree-run'],
  ['rubbish for the index', 'head -c 9999 /dev/urandom > $ADMIN/index'],
  ['a pipe among the files', 'mkfifo pipe'],
];

const PLACES = 'COMMON=$(git rev-parse --git-common-dir); ADMIN=$(git rev-parse --git-dir);';

describe('what an agent leaves is data', () => {
  test.for(TRAPS)('%s make the engine run nothing', async ([, script]) => {
    const { fixture, start, implementor } = bench();
    const trap = join(fixture.checkout, '..', 'trap');
    const prepare = { do: 'run', command: `TRAP=${trap}; ${PLACES} echo x >> README.md; ${script}` } as const;
    const completed = await start(implementor(), [prepare, COMPLETED]);
    expect(await completed.result).toMatchObject({ patch: expect.stringContaining('README.md') });
    const failed = await start(implementor(), [prepare, { do: 'fail', message: 'broken' }]);
    expect((await runError(failed.result)).savedRef).not.toBeNull();
    await expect(access(trap)).rejects.toThrow('ENOENT');
    expect(await fixture.leftovers()).toEqual([]);
  });

  test.for(OBSTACLES)('%s does not stop the engine', async ([, script]) => {
    const { fixture, start, implementor } = bench();
    const prepare = { do: 'run', command: `${PLACES} echo x >> README.md; ${script}` } as const;
    const completed = await start(implementor(), [prepare, COMPLETED]);
    expect(await completed.result).toMatchObject({ patch: expect.stringContaining('README.md') });
    const failed = await start(implementor(), [prepare, { do: 'fail', message: 'broken' }]);
    const { savedRef } = await runError(failed.result);
    expect(await fixture.inClone('show', `${savedRef ?? ''}:README.md`)).toMatch(/x$/);
    expect(await fixture.leftovers()).toEqual([]);
  });

  test('a link in the place of the folder publishes nothing', async () => {
    const { fixture, start, implementor } = bench();
    const elsewhere = join(fixture.checkout, '..', 'elsewhere');
    await mkdir(elsewhere);
    const command = `echo secret > ${elsewhere}/secret.txt; mv $PWD $PWD-moved; ln -s ${elsewhere} $PWD`;
    const handle = await start(implementor(), [{ do: 'run', command }, COMPLETED]);
    const error = await runError(handle.result);
    expect(error.message).toContain('is not the folder any more');
    expect(error.savedRef).toBeNull();
    await access(join(elsewhere, 'secret.txt'));
  });

  test('names that read as options or patterns, or break lines, are names', async () => {
    const { start, implementor } = bench();
    const command = `printf x > ./-rf; printf x > --output=y; printf x > ':(top)z'; printf x > "$(printf 'a\\nb')"`;
    const handle = await start(implementor(), [{ do: 'run', command }, COMPLETED]);
    const result = await handle.result;
    const files = result.role === 'implementor' ? result.patch?.match(/^diff .*$/gm) : null;
    expect(files).toEqual([
      'diff --git a/--output=y b/--output=y',
      'diff --git a/-rf b/-rf',
      'diff --git a/:(top)z b/:(top)z',
      String.raw`diff --git "a/a\nb" "b/a\nb"`,
    ]);
  });

  test('git that waits for a pipe is stopped', async () => {
    const { fixture } = bench();
    const folder = join(fixture.checkout, 'stuck');
    await mkdir(folder);
    const { signal } = new AbortController();
    await runCommand('mkfifo .gitignore', { cwd: folder, env: { PATH: process.env['PATH'] ?? '' }, signal });
    const clone = createDecreeClone(fixture.checkout, fixture.deps.gitAccess, 300);
    await clone.prepare();
    await expect(clone.git(['add', '--all'], { worktree: folder })).rejects.toThrow(/within 0\.3 s .*named pipes/);
  });
});
