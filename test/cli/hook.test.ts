import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepository, decree } from './cli-process.ts';
import type { TestRepository } from './cli-process.ts';

let repository: TestRepository;
beforeAll(async () => {
  repository = await createRepository();
  await repository.write(
    'decree.config.ts',
    "export default { forge: 'embedded', agents: { bash: { allow: ['terraform plan'] } } };\n",
  );
});
afterAll(() => repository.remove());

function hook(input: unknown) {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return decree(['hook', 'bash'], { cwd: repository.folder, input: text });
}

const bash = (command: string) => ({
  session_id: 'abc',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command, description: 'Does something' },
  cwd: repository.folder,
});

test('a harmless command, one that the configuration allows, and other tools pass without a word', async () => {
  const inputs = [bash('git status && ls'), bash('terraform plan'), { tool_name: 'Read', tool_input: {} }];
  for (const end of await Promise.all(inputs.map(hook))) expect(end).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('a blocked command ends with 2, and the reason is on standard error', async () => {
  const [dangerous, unknown] = await Promise.all([hook(bash('rm -rf build')), hook(bash('nmap 10.0.0.1'))]);
  expect(dangerous).toMatchObject({
    code: 2,
    stdout: '',
    stderr: "Blocked: matches dangerous pattern 'delete-files'\n",
  });
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Blocked:') });
});

test.each([['{'], ['{"tool_name":"Bash","tool_input":{"command":5}}']])(
  'what cannot be understood is blocked: %j',
  async (input) => {
    expect(await hook(input)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^Blocked: /) });
  },
);

test('a configuration that is wrong blocks', async () => {
  const broken = await createRepository();
  await broken.write('decree.config.ts', 'export default 5;\n');
  const input = JSON.stringify({ tool_name: 'Bash', tool_input: { command: 'ls' } });
  const end = await decree(['hook', 'bash'], { cwd: broken.folder, input });
  await broken.remove();
  expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining('decree.config.ts is wrong') });
});
