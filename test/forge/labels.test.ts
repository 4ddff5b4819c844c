import { afterAll, beforeAll, expect, test } from 'vitest';
import { createForgeWorld, things } from './forge-world.ts';
import type { ForgeWorld } from './forge-world.ts';

let world: ForgeWorld;

beforeAll(async () => {
  world = await createForgeWorld();
});

afterAll(() => world.close());

test('labels can be made before an issue carries them, each once in any spelling', async () => {
  expect(await world.app('POST', 'labels', { name: 'status:ready' })).toMatchObject({
    status: 201,
    body: { name: 'status:ready', default: false },
  });
  expect(await world.app('POST', 'labels', { name: 'Status:Ready' })).toMatchObject({
    status: 422,
    body: { errors: [{ resource: 'Label', field: 'name', code: 'already_exists' }] },
  });
  expect((await world.app('POST', 'labels', {})).status).toBe(422);
  await world.app('POST', 'issues', { title: 'One', labels: ['from an issue'] });
  const names = things(await world.app('GET', 'labels')).map((label) => label.name);
  expect(names).toEqual(['from an issue', 'status:ready']);
  expect(things(await world.app('GET', 'labels?per_page=1&page=2')).map((label) => label.name)).toEqual([
    'status:ready',
  ]);
});
