import { describe } from 'vitest';
import { createEmulateWorld } from './provider-emulate-world.ts';
import { createForgeWorld } from './provider-forge-world.ts';
import { describeMapping } from './provider-mapping.contract.test.ts';
import { describeRevisions } from './provider-revisions.contract.test.ts';
import { describeSpecs } from './provider-specs.contract.test.ts';
import { describeWorkItems } from './provider-work-items.contract.test.ts';

describe('the provider on the embedded forge', () => {
  describeWorkItems(createForgeWorld);
  describeSpecs(createForgeWorld);
  describeRevisions(() => createForgeWorld({ ci: { command: 'test ! -e fail.txt' } }));
  describeMapping(createForgeWorld);
});

describe('the provider on emulate', () => {
  describeWorkItems(createEmulateWorld);
  describeSpecs(createEmulateWorld);
});
