import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runGit } from '../git/run-git.ts';

/** The command that the sample repository is checked with on every push. */
export const SAMPLE_CI_COMMAND = 'node --test';

export const SPEC_PATH = 'docs/specs/unit-converter.md';

const README = `# measure

Small functions that convert units. Run the tests with \`node --test\`.
`;

const PACKAGE = `{
  "name": "measure",
  "version": "0.0.0",
  "type": "module"
}
`;

const ROUND = `/** Rounds to two decimals, as every conversion here does. */
export function round(value) {
  return Math.round(value * 100) / 100;
}
`;

const ROUND_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { round } from '../src/round.js';

test('rounds to two decimals', () => {
  assert.equal(round(1.239), 1.24);
});
`;

const SPEC = `---
title: Unit converter
status: approved
---

# Unit converter

People convert temperatures and distances, in programs and on the command line.

## Requirements

- \`celsiusToFahrenheit(value)\` and \`fahrenheitToCelsius(value)\`, rounded to two decimals.
- \`kilometresToMiles(value)\`, rounded to two decimals. A distance below zero is an error.
- \`measure <value> <unit>\` prints the converted value and its unit.
- Every function is tested.
`;

const FILES: Readonly<Record<string, string>> = {
  '.gitignore': '.decree\n.worktrees\n',
  'README.md': README,
  'package.json': PACKAGE,
  'src/round.js': ROUND,
  'test/round.test.js': ROUND_TEST,
  [SPEC_PATH]: SPEC,
};

/** Makes the sample repository in `folder` and pushes it to a forge that is still empty. */
export async function seedSampleRepository(folder: string, gitURL: string): Promise<void> {
  for (const [file, text] of Object.entries(FILES)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  const git = (...args: string[]) => runGit(args, { cwd: folder });
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('config', 'user.name', 'human');
  await git('config', 'user.email', 'human@example.com');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Approve the specification of the unit converter');
  await git('remote', 'add', 'origin', gitURL);
  await git('push', '--quiet', '--set-upstream', 'origin', 'main');
}
