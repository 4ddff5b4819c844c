import { describe, expect, test } from 'vitest';
import { FINAL_FILES } from './full-loop-world.ts';
import type { FullLoopWorld } from './full-loop-world.ts';

/** What must be true after the full loop, whoever the agents were. */
export function fullLoopAssertions(name: string, getWorld: () => FullLoopWorld): void {
  describe(`the full loop with ${name}`, () => {
    function started(role: string): (number | undefined)[] {
      return getWorld().events.flatMap((e) =>
        e.type === 'agentStarted' && e.agentType === role ? [e.issueNumber] : [],
      );
    }
    function statuses(title: string): (string | null)[] {
      return getWorld().events.flatMap((e) =>
        e.type === 'issueStatusChanged' && e.title === title ? [e.newStatus] : [],
      );
    }

    test('every item went its way: sent back by the reviewer, by CI, by a conflict, and ended merged', () => {
      for (const title of ['alpha', 'beta', 'gamma', 'delta', 'epsilon']) expect(statuses(title).at(-1)).toBeNull();
      expect(statuses('gamma').filter((status) => status === 'needs-changes')).toHaveLength(1);
      // Whichever of the two is merged last has the conflict.
      const collided = [...statuses('alpha'), ...statuses('beta')].filter((status) => status === 'needs-changes');
      expect(collided).toHaveLength(1);
      expect(statuses('delta').filter((status) => status === 'needs-changes')).toHaveLength(1);
      expect(started('planner')).toHaveLength(1);
      expect(started('implementor')).toHaveLength(8);
      expect(getWorld().events.filter((e) => e.type === 'agentFailed')).toEqual([]);
    });

    test('the dependent item started after both of its blockers were merged', () => {
      const { events } = getWorld();
      const at = (title: string, status: string | null) =>
        events.findIndex((e) => e.type === 'issueStatusChanged' && e.title === title && e.newStatus === status);
      const start = at('epsilon', 'in-progress');
      expect(at('alpha', null)).toBeGreaterThan(-1);
      expect(at('alpha', null)).toBeLessThan(start);
      expect(at('gamma', null)).toBeLessThan(start);
    });

    test('never more than two agents were at work', () => {
      let running = 0;
      let most = 0;
      for (const { type } of getWorld().events) {
        if (type === 'agentStarted') most = Math.max(most, ++running);
        if (type === 'agentCompleted' || type === 'agentFailed') running--;
      }
      expect(most).toBe(2);
    });

    test("the default branch holds exactly what the agents made, and nobody else's work is lost", async () => {
      const { git } = getWorld();
      for (const [file, text] of Object.entries(FINAL_FILES)) expect(await git('show', `main:${file}`)).toBe(text);
      const files = (await git('ls-tree', '-r', '--name-only', 'main')).trim().split('\n');
      expect(files).toEqual([
        '.gitignore',
        'delta.txt',
        'docs/specs/letters.md',
        'epsilon.txt',
        'gamma.txt',
        'shared.txt',
      ]);
    });

    test('one pull request per item, each with only its own change', async () => {
      const { git } = getWorld();
      const merges = (await git('log', '--first-parent', '--merges', '--format=%H', 'main')).trim().split('\n');
      const changed = await Promise.all(merges.map((sha) => git('diff', '--name-only', `${sha}^1...${sha}^2`)));
      expect(changed.map((text) => text.trim()).sort()).toEqual([
        'delta.txt',
        'epsilon.txt',
        'gamma.txt',
        'shared.txt',
        'shared.txt',
      ]);
    });

    test('nothing is left to do', async () => {
      const { engine } = getWorld();
      await engine.refresh();
      expect(engine.getSnapshot()).toMatchObject({ runs: [], workItems: [], revisions: [] });
    });
  });
}
