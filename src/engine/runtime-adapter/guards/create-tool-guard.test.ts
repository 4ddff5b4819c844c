import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentRole } from '../../../domain/run.ts';
import { createBashValidatorHook, createToolGuard, decideToolUse } from './create-tool-guard.ts';

let base: string;
let root: string;

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'tool-guard-'));
  root = join(base, 'run');
  mkdirSync(join(root, 'src'), { recursive: true });
  mkdirSync(join(root, '.decree'));
  writeFileSync(join(base, 'secret.txt'), 'secret');
  writeFileSync(join(root, 'src', 'a.ts'), '');
  symlinkSync('../secret.txt', join(root, 'link.txt'));
  symlinkSync(base, join(root, 'up'));
  symlinkSync('src/a.ts', join(root, 'inner.ts'));
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

function decide(tool_name: string, tool_input: unknown, role: AgentRole = 'implementor'): string {
  const decided = decideToolUse({ tool_name, tool_input }, { role, root });
  return decided.decision === 'approve' ? 'approve' : decided.reason;
}

describe('file tools', () => {
  const paths = ['Read', 'Write', 'Edit'].map(
    (tool) => [tool, (path: string) => decide(tool, { file_path: path })] as const,
  );

  test.each(paths)('%s stays inside the folder', (_tool, use) => {
    expect(use(join(root, 'src', 'a.ts'))).toBe('approve');
    expect(use('src/new/b.ts')).toBe('approve');
    expect(use(join(root, 'inner.ts'))).toBe('approve');
    expect(use('/etc/passwd')).toContain('outside');
    expect(use(join(base, 'secret.txt'))).toContain('outside');
    expect(use(`${root}/../secret.txt`)).toContain('outside');
    expect(use(`${root}-sibling/x`)).toContain('outside');
    expect(use('~/.bashrc')).toContain('outside');
  });

  test.each(paths)('%s does not follow a link out of the folder', (_tool, use) => {
    expect(use(join(root, 'link.txt'))).toContain('outside');
    expect(use(join(root, 'up', 'secret.txt'))).toContain('outside');
    expect(use(join(root, 'up', 'new.txt'))).toContain('outside');
  });

  test.each(paths)('%s keeps off git data, decree data, keys and environment files', (_tool, use) => {
    const offLimits = [
      '.git',
      '.git/config',
      '.decree/journal.db',
      'key.pem',
      'a/server.key',
      'id_rsa',
      '.env',
      'a/.env.local',
    ];
    for (const path of [...offLimits, '.ssh/config', '.aws/credentials', '.ENV'])
      expect(use(path)).toContain('off limits');
    for (const path of ['.env.example', '.gitignore', '.github/x.yml', 'keys.ts', 'environment.ts'])
      expect(use(path)).toBe('approve');
  });

  test('searches stay inside the folder, by path and by pattern', () => {
    expect(decide('Grep', { pattern: 'x' })).toBe('approve');
    expect(decide('Grep', { pattern: '/etc', path: 'src' })).toBe('approve');
    expect(decide('Grep', { pattern: 'x', path: base })).toContain('outside');
    expect(decide('Grep', { pattern: 'x', glob: '*.pem' })).toContain('off limits');
    expect(decide('Grep', { pattern: 'x', glob: '{a,.env}' })).toContain('off limits');
    expect(decide('Glob', { pattern: 'src/**/*.ts' })).toBe('approve');
    expect(decide('Glob', { pattern: '/etc/*' })).toContain('outside');
    expect(decide('Glob', { pattern: '../*' })).toContain('outside');
    expect(decide('Glob', { pattern: '*', path: 'up' })).toContain('outside');
  });

  test('a search leaves out what is off limits, whatever file pattern it was given', () => {
    for (const given of [{}, { glob: '**' }]) {
      const decided = decideToolUse(
        { tool_name: 'Grep', tool_input: { pattern: 'x', path: 'src', ...given } },
        { role: 'planner', root },
      );
      expect(decided).toMatchObject({ decision: 'approve', input: { pattern: 'x', path: 'src' } });
      const glob = 'input' in decided ? String(decided.input['glob']) : '';
      expect(glob.startsWith(given.glob ?? '!')).toBe(true);
      expect(glob).toMatch(/ !\.\[eE\]\[nN\]\[vV\] /);
      expect(glob).toMatch(/ !\*\.\[pP\]\[eE\]\[mM\] /);
    }
  });

  test('the notebook tool is a file tool', () => {
    expect(decide('NotebookEdit', { notebook_path: join(root, 'a.ipynb'), new_source: '' })).toBe('approve');
    expect(decide('NotebookEdit', { notebook_path: '/tmp/a.ipynb', new_source: '' })).toContain('outside');
  });

  test.each(['planner', 'reviewer'] as const)('the %s reads but writes nothing', (role) => {
    expect(decide('Read', { file_path: 'src/a.ts' }, role)).toBe('approve');
    for (const tool of ['Write', 'Edit', 'MultiEdit']) {
      expect(decide(tool, { file_path: 'src/a.ts' }, role)).toContain('may not write');
    }
    expect(decide('NotebookEdit', { notebook_path: 'a.ipynb' }, role)).toContain('may not write');
  });

  test.each([undefined, null, {}, { file_path: 3 }, 'src/a.ts', { file_path: 'a\u0000b' }, { file_path: 'a\uE000' }])(
    'an input that cannot be understood is refused: %j',
    (input) => {
      expect(decide('Read', input)).toMatch(/^Blocked: /);
    },
  );
});

describe('Bash', () => {
  test('[AGM-17] a command on the blocklist is blocked, and the reason names the pattern', () => {
    expect(decide('Bash', { command: 'git push' })).toBe("Blocked: matches dangerous pattern 'git-remote'");
  });

  test('[AGM-18] a command of allowed programs is approved', () => {
    expect(decide('Bash', { command: 'npm test && git status | head' })).toBe('approve');
  });

  test('the folder of the run is the root of its commands', () => {
    expect(decide('Bash', { command: `cat ${root}/src/a.ts` })).toBe('approve');
    expect(decide('Bash', { command: 'cat link.txt' })).toContain('outside-folder');
  });

  test('a command may not leave the sandbox', () => {
    expect(decide('Bash', { command: 'ls', dangerouslyDisableSandbox: true })).toContain('sandbox');
  });

  test.each(['planner', 'reviewer'] as const)('the %s runs only what does not write', (role) => {
    for (const command of [
      'git diff',
      'npm test',
      'npx tsc --noEmit',
      'grep -rn x src',
      'ls > /dev/null',
      'cat src/a.ts 2>&1',
    ]) {
      expect(decide('Bash', { command }, role)).toBe('approve');
    }
    const writing = [
      'echo x > a',
      'mkdir a',
      'cp a b',
      'mv a b',
      'tee a',
      'sed -i s/a/b/ c',
      'npm install',
      'git add .',
    ];
    for (const command of [
      ...writing,
      'node x.js',
      'npm run build',
      'git commit -m x',
      './x.sh',
      'sort -o a b',
      'touch a',
    ]) {
      expect(decide('Bash', { command }, role)).toContain('read-only-role');
    }
  });

  test('a command that starts outside the folder is blocked', () => {
    const decided = decideToolUse(
      { tool_name: 'Bash', tool_input: { command: 'ls' }, cwd: base },
      { role: 'implementor', root },
    );
    expect(decided.decision).toBe('block');
  });

  test('paths are seen from where the shell is', () => {
    const event = { tool_name: 'Bash', tool_input: { command: 'cat ../src/a.ts' } };
    expect(decideToolUse({ ...event, cwd: join(root, 'src') }, { role: 'implementor', root }).decision).toBe('approve');
    expect(decideToolUse(event, { role: 'implementor', root }).decision).toBe('block');
  });
});

describe('other tools', () => {
  test('the result and the to-do list are always open', () => {
    expect(decide('StructuredOutput', { anything: 1 })).toBe('approve');
    expect(decide('TodoWrite', {}, 'planner')).toBe('approve');
  });

  test.each([
    'WebFetch',
    'WebSearch',
    'Task',
    'Agent',
    'Skill',
    'CronCreate',
    'ScheduleWakeup',
    'mcp__docs__search',
    'Unheard',
    '',
  ])('off unless configured: %s', (tool) => {
    expect(decide(tool, {})).toMatch(/not available/);
  });

  test('the configuration turns tools on by name or by prefix', () => {
    const options = { role: 'planner', root, extraTools: ['WebFetch', 'mcp__docs__*'] } as const;
    expect(decideToolUse({ tool_name: 'WebFetch', tool_input: {} }, options).decision).toBe('approve');
    expect(decideToolUse({ tool_name: 'mcp__docs__search', tool_input: {} }, options).decision).toBe('approve');
    expect(decideToolUse({ tool_name: 'WebSearch', tool_input: {} }, options).decision).toBe('block');
    expect(decideToolUse({ tool_name: 'mcp__other__x', tool_input: {} }, options).decision).toBe('block');
  });
});

describe('the hook', () => {
  test('a guard that fails blocks', async () => {
    const guard = createToolGuard({ role: 'implementor', root: join(base, 'gone') });
    const decided = await guard({ tool_name: 'Read', tool_input: { file_path: 'a' } });
    expect(decided).toMatchObject({ decision: 'block', reason: expect.stringContaining('the guard failed') });
    expect(await guard({ tool_name: 'Bash', tool_input: { command: 'ls' } })).toMatchObject({ decision: 'block' });
  });

  test('the narrow hook of the specification answers for Bash alone', async () => {
    const hook = createBashValidatorHook({ role: 'implementor', root });
    expect(await hook({ tool_name: 'Bash', tool_input: { command: 'ls' } })).toEqual({ decision: 'approve' });
    expect(await hook({ tool_name: 'Bash', tool_input: { command: 'rm x' } })).toEqual({
      decision: 'block',
      reason: "Blocked: matches dangerous pattern 'delete-files'",
    });
    expect(await hook({ tool_name: 'Read', tool_input: { file_path: '/etc/passwd' } })).toBeUndefined();
  });
});
