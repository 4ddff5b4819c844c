import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { RULES } from '../../src/engine/runtime-adapter/guards/bash/rules.ts';
import { validateBashCommand } from '../../src/engine/runtime-adapter/guards/bash/validate-bash-command.ts';

/** Commands by what has to happen to them: `approve`, `not-allowed`, or the rule that must catch them. */
const corpus = z
  .record(z.string(), z.array(z.string()))
  .parse(JSON.parse(readFileSync(new URL('corpus.json', import.meta.url), 'utf8')));

function outcome(command: string): string {
  const decided = validateBashCommand(command);
  if (decided.decision === 'approve') return 'approve';
  return /^Blocked: matches dangerous pattern '([\w-]+)'$/.exec(decided.reason)?.[1] ?? notAllowed(decided.reason);
}

function notAllowed(reason: string): string {
  return /^Blocked: '.+' is not in the allowed command list$/s.test(reason) ? 'not-allowed' : reason;
}

describe('the corpus', () => {
  test('holds at least 300 commands and an example of every rule that needs no folder', () => {
    expect(Object.values(corpus).flat().length).toBeGreaterThanOrEqual(300);
    expect(Object.keys(corpus)).toEqual(expect.arrayContaining(Object.keys(RULES).filter(needsNoRole)));
  });

  test.each(Object.keys(corpus))('[AGM-17] [AGM-18] is decided as expected: %s', (expected) => {
    const wrong = (corpus[expected] ?? [])
      .map((command) => ({ command, outcome: outcome(command) }))
      .filter((decided) => decided.outcome !== expected);
    expect(wrong).toEqual([]);
  });
});

function needsNoRole(rule: string): boolean {
  return rule !== 'read-only-role';
}
