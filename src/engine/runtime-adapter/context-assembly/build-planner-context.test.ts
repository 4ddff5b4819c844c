import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../../domain/provider-error.ts';
import type { PlannerStartParams } from '../types.ts';
import { buildPlannerContext } from './build-planner-context.ts';
import { contextDeps, type ContextFixture } from '../../../../test/claude/context-deps.ts';
import { sampleWorkItem } from '../../../../test/world/sample-work-item.ts';

function params(blobSHAs: Record<string, string>): PlannerStartParams {
  const specPaths = Object.keys(blobSHAs);
  return { role: 'planner', sessionID: 's', attempt: 1, commitSHA: 'c', specPaths, blobSHAs };
}

async function build(blobSHAs: Record<string, string>, fixture: ContextFixture) {
  const { deps, calls } = contextDeps(fixture);
  return { prompt: await buildPlannerContext(params(blobSHAs), deps), calls };
}

const BLOBS = { a1: '# A\n\nold line\n', a2: '# A\n\nnew line\n', b1: '# B\n' };

describe('specs', () => {
  test('[RTA-12] [CLA-15] the whole text of every spec is read and shown', async () => {
    const { prompt, calls } = await build({ 'docs/specs/a.md': 'a2', 'docs/specs/b.md': 'b1' }, { blobs: BLOBS });
    expect(calls.toSorted()).toEqual(['blob a2', 'blob b1']);
    expect(prompt).toContain('## Changed Specs\n\n### docs/specs/a.md (added)\n\n```\n# A\n\nnew line\n');
    expect(prompt).toContain('### docs/specs/b.md (added)\n\n```\n# B\n');
    expect(prompt.indexOf('a.md')).toBeLessThan(prompt.indexOf('b.md'));
  });

  test('[RTA-13] [CLA-16] a spec that was never planned is added and has no diff', async () => {
    const { prompt } = await build({ 'a.md': 'a2' }, { blobs: BLOBS, plannedSHAs: { 'b.md': 'b1' } });
    expect(prompt).toContain('### a.md (added)');
    expect(prompt).not.toContain('#### Diff');
  });

  test('[RTA-14] [CLA-17] a spec planned at another blob is modified and has a unified diff after its text', async () => {
    const { prompt } = await build({ 'a.md': 'a2' }, { blobs: BLOBS, plannedSHAs: { 'a.md': 'a1' } });
    expect(prompt).toMatch(
      /### a\.md \(modified\)[^]*new line[^]*#### Diff\n\n```\n@@ -1,3 \+1,3 @@\n # A\n \n-old line\n\+new line/,
    );
    expect(prompt).not.toContain('before');
  });

  test('an earlier version that the forge no longer has does not stop the planner', async () => {
    const { prompt } = await build({ 'a.md': 'a2' }, { blobs: BLOBS, plannedSHAs: { 'a.md': 'gone' } });
    expect(prompt).toMatch(/### a\.md \(modified\)[^]*#### Diff\n\n\[The version planned last no longer exists/);
  });

  test('[RTA-02] a spec that cannot be read rejects', async () => {
    await expect(build({ 'a.md': 'none' }, { blobs: BLOBS })).rejects.toThrow(ProviderError);
  });

  test('two modified specs are compared at the same time without mixing them up', async () => {
    const blobs = { a1: 'a old\n', a2: 'a new\n', b1: 'b old\n', b2: 'b new\n' };
    const plannedSHAs = { 'a.md': 'a1', 'b.md': 'b1' };
    const { prompt } = await build({ 'a.md': 'a2', 'b.md': 'b2' }, { blobs, plannedSHAs });
    expect(prompt).toMatch(/### a\.md[^]*-a old\n\+a new[^]*### b\.md[^]*-b old\n\+b new/);
  });
});

describe('work items', () => {
  test('[RTA-15] [CLA-18] every work item is listed with id, title, status and body, in order', async () => {
    const { prompt, calls } = await build(
      { 'a.md': 'a2' },
      {
        blobs: BLOBS,
        workItems: [
          sampleWorkItem({ id: '10', title: 'Ten', status: 'review' }),
          sampleWorkItem({ id: '9', title: 'Nine' }),
        ],
        bodies: { '9': 'Body of nine.', '10': 'Body of ten.' },
      },
    );
    expect(calls).toEqual(expect.arrayContaining(['body 9', 'body 10']));
    expect(prompt.slice(prompt.indexOf('## Existing'))).toBe(
      [
        '## Existing Work Items',
        '### WorkItem #9 — Nine\nStatus: ready',
        '```\nBody of nine.\n```',
        '### WorkItem #10 — Ten\nStatus: review',
        '```\nBody of ten.\n```',
      ].join('\n\n'),
    );
  });

  test('without work items there is no such section', async () => {
    expect((await build({ 'a.md': 'a2' }, { blobs: BLOBS })).prompt).not.toContain('Existing Work Items');
  });

  test('past a thousand the oldest are left out, and the prompt says so', async () => {
    const ids = Array.from({ length: 1003 }, (_, index) => String(index + 1));
    const { prompt, calls } = await build(
      { 'a.md': 'a2' },
      {
        blobs: BLOBS,
        workItems: ids.map((id) => sampleWorkItem({ id })),
        bodies: Object.fromEntries(ids.map((id) => [id, `Body ${id}.`])),
      },
    );
    expect(prompt).toContain('[Left out: 3 older work items.]');
    expect(prompt).not.toContain('WorkItem #3 ');
    expect(prompt).toContain('WorkItem #4 ');
    expect(calls).not.toContain('body 3');
  });
});
