import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { gitText } from '../git-text.ts';
import { startScriptedModel } from '../scripted-model/scripted-model.ts';
import type { ScriptedModel } from '../scripted-model/scripted-model.ts';
import { finish, hang, message, text, tool } from '../scripted-model/turn.ts';
import type { Turn } from '../scripted-model/turn.ts';
import { createRepository, decree, startDecree } from './cli-process.ts';
import type { CLIEnd, CLIProcess, TestRepository } from './cli-process.ts';

/**
 * A person's way with a local repository, the embedded forge and the real Claude adapter, command by command; only the
 * model behind the SDK is scripted. The tests build on each other.
 */
let repository: TestRepository;
let model: ScriptedModel;
let engine: CLIProcess;
let env: Record<string, string> = {};

const run = (...args: string[]): Promise<CLIEnd> => decree(args, { cwd: repository.folder, env });

const ITEMS = [
  { tempID: 'greet', title: 'Greet people', body: 'Add hello.txt.', labels: ['priority:high'], blockedBy: [] },
  { tempID: 'part', title: 'Part from people', body: 'Add bye.txt.', labels: [], blockedBy: ['greet'] },
];

function answer(index: number, request: string): Turn {
  if (request.includes('You are the planner')) return finish({ role: 'planner', create: ITEMS, close: [], update: [] });
  if (request.includes('You are the reviewer')) {
    return finish({ role: 'reviewer', review: { verdict: 'approve', summary: 'Good.', comments: [] } });
  }
  if (request.includes('Part from people'))
    return index === 0 ? message(text('Thinking about farewells.'), tool('TodoWrite', { todos: [] })) : hang;
  if (index === 0) return message(text('Writing.'), tool('Write', { file_path: fileIn(request), content: 'Hello\n' }));
  return finish({ role: 'implementor', outcome: 'completed', summary: 'hello.txt greets people.' });
}

/** The agent's folder stands in its prompt. */
function fileIn(request: string): string {
  const folder = /Primary working directory: (?<folder>[^\\"\s]+)/.exec(request)?.groups?.['folder'];
  return path.join(folder ?? repository.folder, 'hello.txt');
}

beforeAll(async () => {
  repository = await createRepository();
  model = await startScriptedModel();
  env = {
    ANTHROPIC_BASE_URL: model.play('cli', answer),
    ANTHROPIC_API_KEY: 'not-a-key',
    CLAUDE_CONFIG_DIR: path.join(repository.folder, '.decree', 'claude'),
  };
  await run('init', '--yes', '--forge', 'embedded');
  const config = await readFile(path.join(repository.folder, 'decree.config.ts'), 'utf8');
  await repository.write('decree.config.ts', config.replaceAll('pollInterval: 2', 'pollInterval: 0.3'));
  await repository.write('docs/specs/greeting.md', '---\nstatus: approved\n---\n\n# Greeting\n\nPeople are greeted.\n');
  await repository.commit();
});
afterAll(async () => {
  engine?.kill('SIGKILL');
  await engine?.ended;
  await model[Symbol.asyncDispose]();
  await repository.remove();
});

test('a dry run shows the plan and writes nothing', async () => {
  const { code, stdout, stderr } = await run('plan', '--dry-run');
  expect(stderr).toContain('Planning docs/specs/greeting.md');
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/greet +- +priority:high +Greet people/),
  });
  expect(stdout).toContain('Nothing was written.');
  await expect(lstat(path.join(repository.folder, '.decree', 'journal.db'))).rejects.toThrow(/ENOENT/);
});

test('headless, it plans, and says that it waits for a person', async () => {
  engine = startDecree(['run', '--headless'], { cwd: repository.folder, env });
  await engine.until(/It waits for `decree dispatch <item>`/);
  const output = await engine.until(/#1 Greet people: ready {2}\(decree dispatch 1\)/);
  expect(output).not.toContain('\u001b[');
});

test('the way to the engine is open to its user only, and closed to a second engine', async () => {
  const { mode } = await lstat(path.join(repository.folder, '.decree', 'engine.sock'));
  expect(mode & 0o777).toBe(0o600);
  const second = await run('run', '--headless');
  expect(second.code).toBe(1);
  expect(second.stderr).toContain(`already runs in this repository (process ${engine.pid})`);
});

test('status shows items and agents, as a table and as JSON', async () => {
  const [table, json] = await Promise.all([run('status'), run('status', '--json')]);
  expect(table).toMatchObject({ code: 0, stdout: expect.stringMatching(/#1 +ready +high .*Greet people/) });
  const parsed = z.object({ pid: z.number(), items: z.array(z.object({ number: z.string(), status: z.string() })) });
  expect(parsed.parse(JSON.parse(json.stdout))).toMatchObject({
    pid: engine.pid,
    items: expect.arrayContaining([{ number: '2', status: 'pending' }]),
  });
});

test('what makes no sense is refused with the reason', async () => {
  const ends = await Promise.all([run('dispatch', '99'), run('dispatch', '2'), run('merge', '1'), run('cancel', '1')]);
  expect(ends.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
  expect(ends.map(({ stderr }) => stderr.split('\n')[0])).toEqual([
    'decree: There is no open work item #99.',
    'decree: #2 waits for #1.',
    'decree: #1 has no open pull request.',
    'decree: No agent works on #1.',
  ]);
});

test('dispatched by a person, reviewed by an agent, merged by a person', async () => {
  expect(await run('dispatch', '1')).toMatchObject({ code: 0, stdout: 'An implementor is on its way to #1.\n' });
  await engine.until(/#1 Greet people: approved/);
  expect(await run('merge', '1')).toMatchObject({ code: 0, stdout: 'The pull request of #1 is merged.\n' });
  await engine.until(/#2 Part from people: ready/);
  const bare = path.join(repository.folder, '.decree', 'forge', 'repository.git');
  expect(await gitText(bare, 'show', 'main:hello.txt')).toBe('Hello\n');
});

test('the output of a running agent can be followed, and the agent cancelled', async () => {
  await run('dispatch', '2');
  await engine.until(/implementor +started on #2/);
  const session = /^(?<id>\S{8}).* implementor +#2 .* running/m.exec((await run('runs')).stdout)?.groups?.['id'] ?? '';
  const follower = startDecree(['logs', session, '--follow'], { cwd: repository.folder, env });
  await follower.until(/Thinking about farewells/);
  expect(await run('cancel', '2')).toMatchObject({ code: 0, stdout: expect.stringContaining('was cancelled') });
  expect((await follower.ended).code).toBe(0);
  const shown = await run('runs', session);
  expect(shown.stdout).toMatch(/status +cancelled/);
});

test('a signal stops it, and the journal tells the same story again', async () => {
  engine.kill('SIGTERM');
  const end = await engine.ended;
  expect(end).toMatchObject({ code: 0, stderr: 'Stopping.\n' });
  const [replay, status, log] = await Promise.all([
    run('replay'),
    run('status'),
    readFile(path.join(repository.folder, '.decree', 'decree.log'), 'utf8'),
  ]);
  expect(replay.stdout).toMatch(/^\d+ events replayed: the same \d+ commands\.\n$/);
  expect(replay.code).toBe(0);
  expect(status.code).toBe(3);
  expect(log).toContain('"msg":"shutdown complete"');
  expect(log).not.toMatch(/PRIVATE KEY|ghs_\w{10}/);
});

test("after a kill the socket that is left behind is in nobody's way", async () => {
  engine = startDecree(['run', '--headless', '--json'], { cwd: repository.folder, env });
  const output = await engine.until(/"type":"started"/);
  for (const line of output.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('type');
  engine.kill('SIGKILL');
  await engine.ended;
  expect((await lstat(path.join(repository.folder, '.decree', 'engine.sock'))).isSocket()).toBe(true);
  expect((await run('status')).code).toBe(3);

  engine = startDecree(['run', '--headless'], { cwd: repository.folder, env });
  await engine.until(/It waits for/);
});

test('the first Ctrl-C waits for the agents, the second does not', async () => {
  await run('dispatch', '2');
  await engine.until(/implementor +started on #2/);
  engine.kill('SIGINT');
  await engine.until(/Waiting for 1 running agent/, 'stderr');
  engine.kill('SIGINT');
  expect((await engine.ended).code).toBe(130);
  const runs = await run('runs', '--limit', '1');
  expect(runs.stdout).toMatch(/implementor +#2/);
  expect((await run('replay')).stdout).toMatch(/the same \d+ commands/);
});
