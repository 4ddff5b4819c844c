import { z } from 'zod';
import { createClaudeAdapter } from '../../src/engine/runtime-adapter/claude/create-claude-adapter.ts';
import type { AgentStep, RuntimeAdapterHarness } from '../contracts/runtime-adapter-contract.ts';
import { startScriptedModel, type ScriptedModel } from '../scripted-model/scripted-model.ts';
import { apiError, hang, message, text, tool, type Block, type Turn } from '../scripted-model/turn.ts';
import { offlineEnvironment, writeDefinitions } from './claude-harness.ts';

/** The Claude adapter for the contract suite: agents that do as a scripted model says. */
export function createContractHarness(): RuntimeAdapterHarness {
  const models: ScriptedModel[] = [];
  return {
    createAdapter: async (config, deps, steps) => {
      const model = await startScriptedModel();
      models.push(model);
      await writeDefinitions(config.repoRoot);
      const agentEnvironment = offlineEnvironment(config, model.play('contract', turnsFor(steps)));
      return createClaudeAdapter({ ...config, agentEnvironment, sandbox: 'off' }, deps);
    },
    close: async () => {
      await Promise.all(models.map((model) => model[Symbol.asyncDispose]()));
    },
  };
}

const OutputSchema = z.record(z.string(), z.unknown());

/** Steps of an agent as turns of a model: words wait for the call of a tool, which ends a message. */
function turnsFor(steps: readonly AgentStep[]): Turn[] {
  const turns: Turn[] = [];
  let blocks: Block[] = [];
  const say = (...more: readonly Block[]): void => {
    blocks.push(...more);
    if (blocks.length > 0) turns.push(message(...blocks));
    blocks = [];
  };
  for (const step of steps) {
    if (step.do === 'print') blocks.push(text(step.text));
    else if (step.do === 'write') say(tool('Write', { file_path: step.path, content: step.content }));
    else if (step.do === 'run') say(tool('Bash', { command: step.command, description: 'A step' }));
    else if (step.do === 'return') say(tool('StructuredOutput', OutputSchema.parse(step.output)));
    else {
      say();
      turns.push(step.do === 'hang' ? hang : apiError(400, 'invalid_request_error', step.message));
    }
  }
  say();
  return turns;
}
