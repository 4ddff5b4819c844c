import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { settle, until } from './until.ts';
import { useEngine } from './use-engine.ts';

const bench = useEngine();

const PLAN = { role: 'planner', create: [], close: [], update: [] } as const;

describe('planning', () => {
  test('[ENG-31] a spec that is no longer approved when the planner is free is dropped from the batch', async () => {
    const t = await bench.start({}, ({ forge }) => forge.approveSpec('docs/specs/a.md', 'a1'));
    t.forge.approveSpec('docs/specs/b.md', 'b1');
    t.forge.approveSpec('docs/specs/c.md', 'c1');
    await t.engine.refresh();
    t.forge.specs.set('docs/specs/b.md', { filePath: 'docs/specs/b.md', blobSHA: 'b2', frontmatterStatus: 'draft' });
    await t.engine.refresh();
    t.runtime.live()[0]?.complete(PLAN);
    await until('the second planner', () => t.runtime.started.length === 2);
    expect(t.runtime.started[1]?.params).toMatchObject({ specPaths: ['docs/specs/c.md'] });
  });

  test('[ENG-33] the specs of a planner that failed are planned again', async () => {
    const t = await bench.start({}, ({ forge }) => forge.approveSpec('docs/specs/a.md', 'a1'));
    t.runtime.live()[0]?.fail('it broke');
    await settle();
    t.clock.advance(30_000);
    await until('the second planner', () => t.runtime.started.length === 2);
    expect(t.runtime.started[1]?.params).toMatchObject({ attempt: 2, specPaths: ['docs/specs/a.md'] });
  });

  test('what was planned is in the cache file, and a new journal starts from it', async () => {
    const repoRoot = bench.folder();
    const t = await bench.start({ repoRoot }, ({ forge }) => forge.approveSpec('docs/specs/a.md', 'a1'));
    t.runtime.live()[0]?.complete(PLAN);
    await settle();
    await t.engine.stop();
    const text = await readFile(path.join(bench.folder(), '.agentic-workflow-cache.json'), 'utf8');
    expect(JSON.parse(text)).toEqual({ version: 1, commitSHA: 'c0ffee', files: { 'docs/specs/a.md': 'a1' } });

    const again = await bench.start({ repoRoot, forge: t.forge });
    expect(again.runtime.started).toEqual([]);
    t.forge.approveSpec('docs/specs/a.md', 'a2');
    await again.engine.refresh();
    expect(again.runtime.started).toHaveLength(1);
  });

  test('an unreadable cache means a cold start', async () => {
    await writeFile(path.join(bench.folder(), '.agentic-workflow-cache.json'), '{"version": 7');
    const t = await bench.start({ repoRoot: bench.folder() }, ({ forge }) =>
      forge.approveSpec('docs/specs/a.md', 'a1'),
    );
    expect(t.runtime.started).toHaveLength(1);
  });

  test('at the first run somebody may say that the approved specs are done', async () => {
    const asked: (readonly string[])[] = [];
    const t = await bench.start(
      {
        onFirstRun: async (specPaths) => {
          asked.push(specPaths);
          return 'assume-planned';
        },
      },
      ({ forge }) => forge.approveSpec('docs/specs/a.md', 'a1'),
    );
    expect(asked).toEqual([['docs/specs/a.md']]);
    expect(t.runtime.started).toEqual([]);
    t.forge.approveSpec('docs/specs/a.md', 'a2');
    await t.engine.refresh();
    expect(t.runtime.started).toHaveLength(1);
  });
});
