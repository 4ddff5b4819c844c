import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findConfigFile, loadConfig } from './load-config.ts';
import { ConfigError } from './config-error.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'decree-config-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFile(path.join(root, name), text);

test('a typed file without any package is loaded and its defaults are filled in', async () => {
  await write(
    'decree.config.ts',
    "const forge: string = 'embedded';\nexport default { forge, agents: { maxConcurrent: 7 } };\n",
  );
  const { config, file } = await loadConfig(root);
  expect(file).toBe(path.join(root, 'decree.config.ts'));
  expect(config.agents).toMatchObject({ maxConcurrent: 7, maxAttempts: 3 });
});

test.each(['decree.config.js', 'decree.config.mjs', 'agentic-workflow.config.ts'])(
  '%s will do as well',
  async (name) => {
    await write('package.json', '{"type":"module"}');
    await write(name, "export default { forge: 'embedded' };\n");
    expect((await loadConfig(root)).config.forge).toBe('embedded');
  },
);

test('decree.config.ts comes first', async () => {
  await write('agentic-workflow.config.ts', 'export default {};\n');
  await write('decree.config.ts', "export default { forge: 'embedded' };\n");
  expect(await findConfigFile(root)).toBe(path.join(root, 'decree.config.ts'));
});

test('without a file the message says how to get one', async () => {
  await expect(loadConfig(root)).rejects.toThrow(/no decree\.config\.ts in .*decree init/);
  await expect(loadConfig(root)).rejects.toBeInstanceOf(ConfigError);
});

test.each([
  ['that does not parse', 'export default {', /decree\.config\.ts could not be loaded/],
  ['that throws', "throw new Error('out of order');", /could not be loaded: out of order/],
  ['that throws no error', "throw 'paper';", /could not be loaded: paper/],
  ['without a default export', 'export const config = {};', /no default export/],
  ['that imports what is not there', "import 'no-such-package';\nexport default {};", /Cannot find package/],
  ['with a wrong value', "export default { forge: 'embedded', ci: { maxRounds: -1 } };", /ci\.maxRounds/],
  ['with an unknown setting', "export default { forge: 'embedded', colour: 'red' };", /colour/],
  ['with another thing', 'export default 5;', /decree\.config\.ts is wrong/],
])('a file %s is a ConfigError with one clear message', async (_, text, message) => {
  await write('decree.config.ts', text);
  await expect(loadConfig(root)).rejects.toThrow(message);
  await expect(loadConfig(root)).rejects.toBeInstanceOf(ConfigError);
});
