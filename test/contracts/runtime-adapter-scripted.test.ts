import { createScriptedAdapter } from '../../src/engine/runtime-adapter/scripted/create-scripted-adapter.ts';
import { runtimeAdapterContract } from './runtime-adapter-contract.ts';

runtimeAdapterContract('the scripted adapter', () => ({
  createAdapter: async (config, deps, steps) => createScriptedAdapter({ ...config, script: () => steps }, deps),
  close: async () => undefined,
}));
