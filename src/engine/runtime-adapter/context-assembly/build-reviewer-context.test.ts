import { expect, test } from 'vitest';
import { ProviderError } from '../../../domain/provider-error.ts';
import { buildReviewerContext } from './build-reviewer-context.ts';
import { contextDeps, revision, type ContextFixture } from '../../../../test/claude/context-deps.ts';
import { sampleWorkItem } from '../../../../test/world/sample-work-item.ts';

const FIXTURE = {
  workItems: [sampleWorkItem({ linkedRevision: '9', status: 'review' })],
  bodies: { '7': 'Make a form.' },
  revisions: [revision({ pipeline: { status: 'failure', reason: 'x', url: 'y', checkCount: 1 } })],
  files: [
    { path: 'src/form.ts', status: 'added', patch: '@@ -0,0 +1 @@\n+b' },
    { path: 'logo.png', status: 'modified', patch: null },
  ],
  history: {
    reviews: [{ id: '1', author: 'decree[bot]', state: 'COMMENTED', body: 'Needs changes.', isTrusted: true }],
    inlineComments: [{ id: '2', path: 'src/form.ts', line: 1, author: 'ann', body: 'Why?', isTrusted: true }],
  },
} satisfies ContextFixture;

async function build(fixture: ContextFixture) {
  const { deps, calls } = contextDeps(fixture);
  const prompt = await buildReviewerContext(
    { role: 'reviewer', sessionID: 's', attempt: 1, workItemID: '7', revisionID: '9', headRef: 'issue-7-1' },
    deps,
  );
  return { prompt, calls };
}

test('[RTA-20] [CLA-24] the prompt holds the work item, the changed files and the review history', async () => {
  const { prompt, calls } = await build(FIXTURE);
  expect(calls.toSorted()).toEqual(['body 7', 'files 9', 'history 9']);
  expect(prompt.slice(prompt.indexOf('## Work'))).toBe(
    [
      '## Work Item #7 — Add login',
      '```\nMake a form.\n```',
      '### Status\nreview',
      '## Revision #9 — Login form',
      '### Changed Files',
      '#### src/form.ts (added)',
      '```\n@@ -0,0 +1 @@\n+b\n```',
      '#### logo.png (modified)',
      '### Prior Reviews',
      '#### Review by decree[bot] — COMMENTED',
      '```\nNeeds changes.\n```',
      '### Prior Inline Comments',
      '#### src/form.ts:1 — ann',
      '```\nWhy?\n```',
    ].join('\n\n'),
  );
});

test('[CLA-25] a first review has no sections about earlier ones', async () => {
  expect((await build({ ...FIXTURE, history: {} })).prompt).not.toContain('Prior');
});

test('[CLA-26] a file without a patch is named with its status and has no code block', async () => {
  const { prompt } = await build({
    ...FIXTURE,
    files: [{ path: 'logo.png', status: 'renamed', patch: null }],
    history: {},
  });
  expect(prompt.slice(prompt.indexOf('#### '))).toBe('#### logo.png (renamed)');
});

test.each(['bodies', 'files', 'history'])('[RTA-02] a failed read of %s rejects', async (part) => {
  await expect(build({ ...FIXTURE, [part]: undefined })).rejects.toThrow(ProviderError);
});

test('a revision that the engine does not know rejects', async () => {
  await expect(build({ ...FIXTURE, revisions: [] })).rejects.toThrow(/revision 9/);
});
