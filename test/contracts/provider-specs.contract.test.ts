import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GitHubProvider } from '../../src/engine/github-provider/types.ts';
import { people, type ProviderWorld } from './provider-world.ts';

/** What every forge must let the provider read of the specs. */
export function describeSpecs(createWorld: () => Promise<ProviderWorld>): void {
  describe('specs', () => {
    let world: ProviderWorld;
    let provider: GitHubProvider;
    let head: string;

    beforeAll(async () => {
      world = await createWorld();
      provider = world.provider();
      expect(await provider.specReader.listSpecs()).toEqual([]);
      head = await people(world).commit({
        'docs/specs/decree/workflow.md': '\uFEFF---\r\nstatus: approved # yes\r\n---\r\n# Workflow ü\r\n',
        'docs/specs/plain.txt': 'no frontmatter',
        'docs/specs/script.md': '---js\n{ status: "approved" }\n---\n',
        'docs/other.md': '---\nstatus: approved\n---\n',
      });
    });
    afterAll(() => world.close());

    test('[GHP-56] [GHP-57] [GHP-59] every file of the folder is listed with its path and status', async () => {
      const specs = (await provider.specReader.listSpecs()).toSorted((a, b) => a.filePath.localeCompare(b.filePath));
      expect(specs.map(({ filePath, frontmatterStatus }) => [filePath, frontmatterStatus])).toEqual([
        ['docs/specs/decree/workflow.md', 'approved'],
        ['docs/specs/plain.txt', 'draft'],
        ['docs/specs/script.md', 'draft'],
      ]);
      expect(Object.keys(specs[0] ?? {}).toSorted()).toEqual(['blobSHA', 'filePath', 'frontmatterStatus']);
    });

    test('the specs are read at a commit, and their text by blob', async () => {
      const tree = await provider.specReader.readSpecTree();
      expect(tree.commitSHA).toBe(head);
      expect(await provider.specReader.getDefaultHead()).toBe(head);
      const workflow = tree.specs.find(({ filePath }) => filePath.endsWith('workflow.md'));
      expect(await provider.specReader.getBlob(workflow?.blobSHA ?? '')).toContain('# Workflow ü\r\n');
    });

    test('a changed and a deleted file are noticed', async () => {
      const before = await provider.specReader.listSpecs();
      await people(world).commit({
        'docs/specs/plain.txt': '---\nstatus: approved\n---\n',
        'docs/specs/script.md': null,
      });
      const after = await provider.specReader.listSpecs();
      expect(after.map(({ filePath }) => filePath)).not.toContain('docs/specs/script.md');
      const find = (specs: typeof before) => specs.find(({ filePath }) => filePath === 'docs/specs/plain.txt');
      expect(find(after)?.frontmatterStatus).toBe('approved');
      expect(find(after)?.blobSHA).not.toBe(find(before)?.blobSHA);
    });

    test('a folder that does not exist, or is a file, holds no specs', async () => {
      expect(await world.provider({ specsDir: 'nowhere/at/all' }).specReader.listSpecs()).toEqual([]);
      expect(await world.provider({ specsDir: 'docs/other.md' }).specReader.listSpecs()).toEqual([]);
    });

    test('the whole repository can be the folder', async () => {
      const specs = await world.provider({ specsDir: './' }).specReader.listSpecs();
      expect(specs.map(({ filePath }) => filePath)).toContain('docs/other.md');
    });

    test('a branch that does not exist is a typed error', async () => {
      const lost = world.provider({ defaultBranch: 'nowhere' });
      await expect(lost.specReader.listSpecs()).rejects.toMatchObject({ name: 'ProviderError', kind: 'not-found' });
    });
  });
}
