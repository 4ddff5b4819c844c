import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RuntimeAdapterFixture } from '../../../../test/contracts/runtime-adapter-fixture.ts';
import { createRuntimeAdapterFixture, makeTemplate } from '../../../../test/contracts/runtime-adapter-fixture.ts';
import { createScriptedAdapter } from './create-scripted-adapter.ts';

let template: string;
let fixture: RuntimeAdapterFixture;
beforeAll(async () => {
  template = await makeTemplate();
});
afterAll(() => rm(template, { recursive: true, force: true }));
beforeEach(async () => {
  fixture = await createRuntimeAdapterFixture(template);
});
afterEach(() => fixture.close());

test('a scenario as data drives a run to its patch', async () => {
  const adapter = createScriptedAdapter(
    {
      ...fixture.config,
      script: {
        runs: [
          {
            role: 'implementor',
            steps: [
              { do: 'print', text: 'hello' },
              { do: 'write', path: 'src/new.txt', content: 'new\n' },
              { do: 'run', command: 'git add -A && git commit -qm x' },
              { do: 'edit', path: 'README.md', find: 'One', replace: 'Two' },
              { do: 'return', output: { role: 'implementor', outcome: 'completed', summary: 'done' } },
            ],
          },
        ],
      },
    },
    fixture.deps,
  );
  const handle = await adapter.startAgent({
    role: 'implementor',
    sessionID: 's1',
    attempt: 1,
    workItemID: '7',
    branchName: 'issue-7-1',
    start: { from: 'default-branch' },
    repair: null,
  });
  const result = await handle.result;
  expect(result).toMatchObject({ role: 'implementor', baseSHA: fixture.mainSHA });
  expect(await fixture.leftovers()).toEqual([]);
});
