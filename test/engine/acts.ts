import type { WorkItemStatus } from '../../src/domain/work-item.ts';
import type { TestEngine } from './create-test-engine.ts';
import { implemented, reviewed } from './fake-runtime.ts';
import { settle } from './until.ts';
import type { EngineBench } from './use-engine.ts';

/** What tests about hard times do again and again. */
export function plan(...tempIDs: string[]) {
  const create = tempIDs.map((tempID) => ({ tempID, title: tempID, body: 'b', labels: [], blockedBy: [] }));
  return { role: 'planner', create, close: [], update: [] } as const;
}

export function roles(t: TestEngine): string[] {
  return t.runtime.started.map(({ params }) => params.role);
}

export function atWork(t: TestEngine): (string | null)[] {
  return t.runtime.live().map(({ params }) => ('workItemID' in params ? params.workItemID : null));
}

export function oneItem(bench: EngineBench): Promise<TestEngine> {
  return bench.start({ config: { agents: { dispatch: 'auto' } } }, ({ forge }) =>
    forge.addItem({ id: '1', status: 'ready' }),
  );
}

export async function implementedAnd(t: TestEngine, verdict?: 'approve'): Promise<void> {
  t.runtime.live()[0]?.complete(implemented());
  await settle();
  if (verdict !== undefined) t.runtime.live()[0]?.complete(reviewed(verdict));
  await settle();
}

export async function relabel(t: TestEngine, id: string, status: WorkItemStatus): Promise<void> {
  const item = t.forge.items.get(id);
  if (item === undefined) throw new Error(`there is no item ${id}`);
  t.forge.items.set(id, { ...item, status });
  await t.engine.refresh();
  await settle();
}

export async function timePasses(t: TestEngine, ms = 900_000): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    t.clock.advance(ms);
    await t.engine.refresh();
    await settle();
  }
}
