import { runtimeAdapterContract } from '../contracts/runtime-adapter-contract.ts';
import { createContractHarness } from './contract-harness.ts';

runtimeAdapterContract('the Claude adapter', createContractHarness, { parts: ['workspaces'] });
