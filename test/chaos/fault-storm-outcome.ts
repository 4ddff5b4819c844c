import { z } from 'zod';
import type { EmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import { gitText } from '../git-text.ts';
import { fileOf, finalTextOf, isSentBack, titleOf } from '../world/many-items-script.ts';
import type { StormWorld } from './fault-storm-world.ts';

export interface Outcome {
  /** Issues, pull requests, branches, reviews and completed runs beyond what there should be. */
  readonly duplicates: number;
  /** Everything that is not as it should be, duplicates included, in words. */
  readonly wrongs: readonly string[];
}

const Issue = z.object({
  number: z.number(),
  title: z.string(),
  state: z.string(),
  state_reason: z.string().nullish(),
  labels: z.array(z.object({ name: z.string() })),
  pull_request: z.unknown().optional(),
});
const Pull = z.object({ number: z.number(), title: z.string(), merged_at: z.string().nullable() });

/** Looks at the forge itself when all is done. */
export async function readOutcome(world: StormWorld, items: number): Promise<Outcome> {
  const wrongs: string[] = [];
  let duplicates = 0;
  const count = (what: string, actual: number, wanted: number) => {
    if (actual !== wanted) wrongs.push(`${what}: ${actual} instead of ${wanted}`);
    duplicates += Math.max(0, actual - wanted);
  };
  const same = (what: string, actual: string, wanted: string) => {
    if (actual !== wanted) wrongs.push(`${what}: ${actual} instead of ${wanted}`);
  };
  const issues = (await readAll(world.forge, 'issues?state=all', Issue)).filter((each) => !each.pull_request);
  const pulls = await readAll(world.forge, 'pulls?state=all', Pull);
  const runs = countRuns(world);
  count('issues', issues.length, items);
  count('pull requests', pulls.length, items);
  const branches = await gitText(world.repository, 'for-each-ref', '--format=%(refname)', 'refs/heads');
  count('branches', branches.trim().split('\n').length, items + 1);
  count('failed runs', world.events.filter(({ type }) => type === 'agentFailed').length, 0);
  count('runs of the planner', runs.get('planner') ?? 0, 1);
  for (let number = 0; number < items; number++) {
    const title = titleOf(number);
    const rounds = isSentBack(number) ? 2 : 1;
    const own = issues.filter((issue) => issue.title === title);
    count(`issues called ${title}`, own.length, 1);
    const [issue] = own;
    if (issue === undefined) continue;
    same(title, `${issue.state} ${issue.state_reason ?? ''}`, 'closed completed');
    const labels = issue.labels.map(({ name }) => name).sort();
    // Whether the forge or the engine was first to close it decides on its last label.
    same(`labels of ${title}`, labels.join().replace('status:closed', 'status:approved'), LABELS);
    count(`comments on ${title}`, (await readAll(world.forge, `issues/${issue.number}/comments`, Any)).length, 0);
    const ownPulls = pulls.filter((pull) => pull.title === title);
    count(`pull requests of ${title}`, ownPulls.length, 1);
    for (const pull of ownPulls) {
      same(`pull request of ${title}`, pull.merged_at === null ? 'open' : 'merged', 'merged');
      count(`reviews of ${title}`, (await readAll(world.forge, `pulls/${pull.number}/reviews`, Any)).length, rounds);
    }
    count(`implementors of ${title}`, runs.get(`implementor ${issue.number}`) ?? 0, rounds);
    count(`reviewers of ${title}`, runs.get(`reviewer ${issue.number}`) ?? 0, rounds);
    same(fileOf(number), await gitText(world.repository, 'show', `main:${fileOf(number)}`), finalTextOf(number));
  }
  const files = await gitText(world.repository, 'ls-tree', '-r', '--name-only', 'main');
  count('files', files.trim().split('\n').length, items + 1);
  return { duplicates, wrongs };
}

const LABELS = 'status:approved,task:implement';
const Any = z.unknown();

/** Completed runs by role and item: what was paid for. */
function countRuns({ events }: StormWorld): Map<string, number> {
  const completed = new Map<string, number>();
  for (const event of events) {
    if (event.type !== 'agentCompleted') continue;
    const name = `${event.agentType} ${event.issueNumber ?? ''}`.trim();
    completed.set(name, (completed.get(name) ?? 0) + 1);
  }
  return completed;
}

async function readAll<T>(
  { url, owner, repo, gitURL }: EmbeddedForge,
  what: string,
  schema: z.ZodType<T>,
): Promise<T[]> {
  const { password } = new URL(gitURL);
  const headers = { authorization: `Bearer ${decodeURIComponent(password)}` };
  const all: T[] = [];
  for (let page = 1; ; page++) {
    const address = `${url}/repos/${owner}/${repo}/${what}${what.includes('?') ? '&' : '?'}per_page=100&page=${page}`;
    const response = await fetch(address, { headers });
    const entries = z.array(schema).parse(await response.json());
    all.push(...entries);
    if (entries.length < 100) return all;
  }
}
