import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createForgeWorld, humanToken } from './forge-world.ts';
import type { ForgeWorld } from './forge-world.ts';

let world: ForgeWorld;

afterEach(() => world.close());

const Checks = z.object({
  total_count: z.number(),
  check_runs: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      conclusion: z.string().nullable(),
      head_sha: z.string(),
      started_at: z.string().nullable(),
      completed_at: z.string().nullable(),
      details_url: z.string(),
      output: z.object({ title: z.string().nullable(), summary: z.string().nullable(), text: z.string().nullable() }),
    }),
  ),
});

async function checksOf(ref: string) {
  return Checks.parse((await world.human('GET', `commits/${encodeURIComponent(ref)}/check-runs`)).body).check_runs;
}

/** The check runs of a commit once it has this status. */
async function awaitChecks(ref: string, status = 'completed') {
  const settled = async () => {
    const checks = await checksOf(ref);
    expect(checks.map((check) => check.status)).toEqual([status]);
    return checks;
  };
  return vi.waitFor(settled, { timeout: 30_000, interval: 20 });
}

test('a push is checked in a clean checkout of its commit', async () => {
  world = await createForgeWorld({ ci: { command: 'cat value.txt; ls -a; test "$(cat value.txt)" = good' } });
  const good = await world.push('main', { 'value.txt': 'good', '.hidden': '' });
  expect(await checksOf(good)).toHaveLength(1);
  const bad = await world.push('topic', { 'value.txt': 'bad' });
  const [passed] = await awaitChecks(good);
  expect(passed).toMatchObject({
    name: 'ci',
    conclusion: 'success',
    head_sha: good,
    output: { text: 'good.\n..\n.hidden\nvalue.txt\n' },
  });
  expect(passed?.started_at).toMatch(/Z$/);
  expect(passed?.completed_at).toMatch(/Z$/);
  const [failed] = await awaitChecks('topic');
  expect(failed).toMatchObject({ conclusion: 'failure', head_sha: bad });
  expect(failed?.output.summary).toContain('exit code 1');
  expect(failed?.output.text).toMatch(/^bad/);
});

test('a branch that is made or moved through the API is checked, each commit once', async () => {
  world = await createForgeWorld({ ci: { command: 'true' } });
  const main = await world.push('main', { x: '1' });
  await awaitChecks(main);
  await world.human('POST', 'git/refs', { ref: 'refs/heads/same', sha: main });
  expect(await checksOf('same')).toHaveLength(1);
  const tree = z
    .object({ sha: z.string() })
    .parse(
      (await world.human('POST', 'git/trees', { base_tree: main, tree: [{ path: 'y', mode: '100644', content: 'y' }] }))
        .body,
    );
  const commit = z
    .object({ sha: z.string() })
    .parse((await world.human('POST', 'git/commits', { message: 'x', tree: tree.sha, parents: [main] })).body);
  await world.human('PATCH', 'git/refs/heads/same', { sha: commit.sha });
  expect(await awaitChecks(commit.sha)).toMatchObject([{ conclusion: 'success' }]);
});

test('the command sees a small environment, an empty home and no token', async () => {
  world = await createForgeWorld({ ci: { command: 'env; ls -A "$HOME"; git rev-parse 2>&1' } });
  await world.push('main', { x: '1' });
  const [check] = await awaitChecks('main');
  const text = check?.output.text ?? '';
  const names = new Set([...text.matchAll(/^(\w+)=/gm)].map(([, name]) => name));
  const byTheShell = new Set(['PWD', 'OLDPWD', 'SHLVL', '_']);
  const expected = new Set(['CI', 'GIT_CEILING_DIRECTORIES', 'HOME', 'LANG', 'PATH', 'TMPDIR']);
  expect(new Set([...names].filter((name) => !byTheShell.has(name ?? '')))).toEqual(expected);
  expect(text).not.toContain(humanToken(world.forge));
  expect(text).toContain('not a git repository');
});

test('of a long log the end is kept', async () => {
  world = await createForgeWorld({
    ci: { command: 'i=0; while [ $i -lt 9000 ]; do echo "line number $i"; i=$((i+1)); done; exit 3' },
  });
  await world.push('main', { x: '1' });
  const [check] = await awaitChecks('main');
  expect(check?.output.summary).toContain('exit code 3');
  expect(check?.output.text?.length).toBeLessThanOrEqual(65_000);
  expect(check?.output.text).toMatch(/line number 8999\n$/);
});

test('a command that takes too long is ended', async () => {
  world = await createForgeWorld({ ci: { command: 'sleep 300', timeoutMs: 300 } });
  await world.push('main', { x: '1' });
  expect(await awaitChecks('main')).toMatchObject([
    { conclusion: 'timed_out', output: { summary: expect.stringContaining('300 ms') } },
  ]);
});

test('what a command leaves behind is not waited for, but ended', async () => {
  world = await createForgeWorld({ ci: { command: 'sleep 300 & echo $!' } });
  await world.push('main', { x: '1' });
  const [check] = await awaitChecks('main');
  expect(check?.conclusion).toBe('success');
  const pid = check?.output.text?.trim() ?? '';
  const state = async () =>
    (await promisify(execFile)('ps', ['-o', 'stat=', '-p', pid]).catch(() => null))?.stdout ?? '';
  await vi.waitFor(async () => expect(await state()).toMatch(/^Z|^$/));
});

test('what was running or waiting when the forge was closed runs after the next start', async () => {
  world = await createForgeWorld({ ci: { command: 'sleep 300', concurrency: 1 } });
  await world.push('main', { x: '1' });
  await world.push('topic', { x: '2' });
  expect(await awaitChecks('main', 'in_progress')).toHaveLength(1);
  expect(await checksOf('topic')).toMatchObject([{ status: 'queued', conclusion: null }]);
  world = await world.restart({ ci: { command: 'true' } });
  expect(await awaitChecks('main')).toMatchObject([{ conclusion: 'success' }]);
  expect(await awaitChecks('topic')).toMatchObject([{ conclusion: 'success' }]);
});

test('the command is started by the launcher of a sandbox, which is told the one folder that it may write', async () => {
  const folders: string[] = [];
  const launcher = (folder: string): string[] => {
    folders.push(folder);
    return ['env', 'LAUNCHED=yes'];
  };
  world = await createForgeWorld({ ci: { command: 'echo "launched: $LAUNCHED"; pwd', launcher } });
  const [check] = await awaitChecks(await world.push('main', { a: 'a' }));
  expect(check?.output.text).toContain('launched: yes');
  expect(check?.output.text).toContain(`${folders[0] ?? 'nowhere'}/checkout`);
});

test('a sandbox that is required and not to be had fails the check instead of running the command', async () => {
  const launcher = (): string[] => {
    throw new Error('Cannot sandbox agents');
  };
  world = await createForgeWorld({ ci: { command: 'true', launcher } });
  const [check] = await awaitChecks(await world.push('main', { a: 'a' }));
  expect(check).toMatchObject({ conclusion: 'failure', output: { text: 'Cannot sandbox agents' } });
});
