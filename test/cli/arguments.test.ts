import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJSON from '../../package.json' with { type: 'json' };
import { createRepository, decree } from './cli-process.ts';
import type { TestRepository } from './cli-process.ts';

let outside = '';
let empty: TestRepository;
let configured: TestRepository;

beforeAll(async () => {
  outside = await mkdtemp(path.join(os.tmpdir(), 'decree-outside-'));
  empty = await createRepository();
  configured = await createRepository();
  await configured.write('decree.config.ts', "export default { forge: 'embedded' };\n");
});
afterAll(async () => {
  await rm(outside, { recursive: true });
  await empty.remove();
  await configured.remove();
});

describe('anywhere', () => {
  test('the version and the help come without a repository', async () => {
    const [version, help] = await Promise.all([
      decree(['--version'], { cwd: outside }),
      decree(['--help'], { cwd: outside }),
    ]);
    expect(version).toEqual({ code: 0, stdout: `${packageJSON.version}\n`, stderr: '' });
    expect(help).toMatchObject({ code: 0, stderr: '' });
    for (const word of ['demo', 'init', 'doctor', 'plan', 'logs', 'replay', 'hook', 'Examples:', 'Exit codes:']) {
      expect(help.stdout).toContain(word);
    }
  });

  test.each([
    ['a command that does not exist', ['dispatsch', '5'], "there is no command 'dispatsch'"],
    ['an item that is no number', ['dispatch', 'five'], 'Give its number'],
    ['a missing item', ['merge'], "missing required argument 'item'"],
    ['too much', ['status', 'of', 'things'], 'too many arguments'],
    ['a forge that does not exist', ['init', '--forge', 'gitlab'], 'Allowed choices are embedded, github'],
    ['run without --headless', ['run'], '--headless'],
    ['plan without --dry-run', ['plan'], '--dry-run'],
  ])('%s is a usage error with a way out', async (_, args, message) => {
    const { code, stdout, stderr } = await decree(args, { cwd: outside });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toContain('Run `decree --help`');
  });

  test.each([[[]], [['status']], [['init', '--yes']]])(
    'outside of a repository `decree %j` says what is missing',
    async (args) => {
      const { code, stderr } = await decree(args, { cwd: outside });
      expect(code).toBe(2);
      expect(stderr.split('\n')).toEqual([
        `decree: ${outside} is not inside a git repository.`,
        '        Change into one, or make one with `git init`. `decree demo` works anywhere.',
        '',
      ]);
    },
  );

  test('an old Node is told so in one line', async () => {
    const pretend = "Object.defineProperty(process, 'versions', { value: { node: '20.11.0' } })";
    const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
    const { code, stderr } = await decree(['--version'], { cwd: outside, nodeArgs });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^decree needs Node 24 or newer.*\n$/);
  });
});

describe('in a repository without a configuration', () => {
  test('decree explains how to begin', async () => {
    const { code, stdout } = await decree([], { cwd: empty.folder });
    expect(code).toBe(0);
    for (const command of ['decree demo', 'decree init', 'decree doctor']) expect(stdout).toContain(command);
  });

  test('commands that need one name the file', async () => {
    const { code, stderr } = await decree(['run', '--headless'], { cwd: empty.folder });
    expect(code).toBe(2);
    expect(stderr).toContain('There is no decree.config.ts');
    expect(stderr).toContain('decree init');
  });

  test('the journal is not there yet', async () => {
    const { code, stderr } = await decree(['runs'], { cwd: empty.folder });
    expect(code).toBe(1);
    expect(stderr).toContain('there is no journal');
  });
});

describe('in a configured repository', () => {
  test.each([['status'], ['dispatch 1'], ['review 1'], ['merge 1'], ['cancel 1']])(
    '`decree %s` without an engine ends with 3',
    async (line) => {
      const { code, stdout, stderr } = await decree(line.split(' '), { cwd: configured.folder });
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      expect(stderr).toContain('No engine is running');
    },
  );

  test('the terminal UI is refused where there is no terminal', async () => {
    const { code, stderr } = await decree([], { cwd: configured.folder });
    expect(code).toBe(2);
    expect(stderr).toContain('decree run --headless');
  });

  test('a wrong setting is named, and a stack trace only comes with --debug', async () => {
    const wrong = await createRepository();
    await wrong.write('decree.config.ts', "export default { forge: 'embedded', agents: { maxConcurrent: 'many' } };\n");
    const args = ['run', '--headless'];
    const [plain, debug] = await Promise.all([
      decree(args, { cwd: wrong.folder }),
      decree([...args, '--debug'], { cwd: wrong.folder }),
    ]);
    await wrong.remove();
    expect([plain.code, debug.code]).toEqual([2, 2]);
    expect(plain.stderr).toContain('agents.maxConcurrent');
    expect(plain.stderr).not.toMatch(/^\s+at /m);
    expect(debug.stderr).toMatch(/^\s+at /m);
  });

  test('a private key that is not there is named', async () => {
    const github = await createRepository();
    await github.write(
      'decree.config.ts',
      "export default { repository: 'a/b', githubAppID: 1, githubAppInstallationID: 2, githubAppPrivateKeyPath: 'no.pem' };\n",
    );
    const { code, stderr } = await decree(['run', '--headless'], { cwd: github.folder });
    await github.remove();
    expect(code).toBe(2);
    expect(stderr).toContain('githubAppPrivateKeyPath');
    expect(stderr).toContain('there is no such file');
  });
});
