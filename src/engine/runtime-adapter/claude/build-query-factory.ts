import type {
  HookCallbackMatcher,
  HookJSONOutput,
  Options,
  Query,
  SandboxSettings,
} from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';
import type { AgentRole } from '../../../domain/run.ts';
import type { ToolGuard } from '../guards/create-tool-guard.ts';
import { loadAgentDefinition } from '../load-agent-definition.ts';
import { outputSchemaFor } from '../schemas.ts';

/** The SDK's `query`, as far as sessions with one prompt need it. */
type QueryFunction = (request: { prompt: string; options: Options }) => Query;

export interface QueryFactoryConfig {
  readonly repoRoot: string;
  /** See `loadAgentDefinition`. */
  readonly contextPaths?: readonly string[] | undefined;
  /** Default: the SDK's own, loaded when the first session starts. */
  readonly query?: QueryFunction;
}

export interface QueryFactoryParams {
  readonly prompt: string;
  readonly role: AgentRole;
  /** Name of the agent's definition file. */
  readonly agent: string;
  readonly cwd: string;
  readonly abortController: AbortController;
  readonly guard: ToolGuard;
  /** The child's whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly sessionID: string;
  readonly modelOverride?: string | undefined;
  readonly budgetUSD?: number | undefined;
  readonly sandbox?: SandboxSettings | undefined;
  readonly spawn?: Options['spawnClaudeCodeProcess'];
}

interface AgentQuery {
  readonly query: Query;
  /** Everything that the agent may use; a session that offers more does not run this agent. */
  readonly tools: readonly string[];
}

export type QueryFactory = (params: QueryFactoryParams) => Promise<AgentQuery>;

/** Starts sessions of the SDK with the options that decree always uses. Rejects if the definition cannot be loaded. */
export function buildQueryFactory(config: QueryFactoryConfig): QueryFactory {
  return async (params) => {
    const { role, agent, modelOverride, budgetUSD, sandbox, spawn } = params;
    const { definition, maxTurns } = await loadAgentDefinition({
      repoRoot: config.repoRoot,
      name: agent,
      contextPaths: config.contextPaths,
    });
    const tools = toolsOf(role, definition.tools, definition.disallowedTools);
    const query = config.query ?? (await import('@anthropic-ai/claude-agent-sdk')).query;
    const options: Options = {
      agent,
      agents: { [agent]: { ...definition, tools, ...(modelOverride !== undefined && { model: modelOverride }) } },
      tools,
      ...(definition.disallowedTools && { disallowedTools: definition.disallowedTools }),
      ...(maxTurns !== undefined && { maxTurns }),
      ...(budgetUSD !== undefined && { maxBudgetUsd: budgetUSD }),
      cwd: params.cwd,
      env: { ...params.env },
      outputFormat: { type: 'json_schema', schema: jsonSchemaFor(role) },
      // Nothing from settings files: neither the user's nor those of the repository that the agent could change.
      settingSources: [],
      mcpServers: {},
      strictMcpConfig: true,
      hooks: { PreToolUse: [hookFor(params.guard)] },
      permissionMode: 'bypassPermissions',
      allowDangerouslySkipPermissions: true,
      // Prompts quote issues: a mention such as @/path must stay text.
      verbatimPrompts: true,
      abortController: params.abortController,
      ...(UUID.test(params.sessionID) && { sessionId: params.sessionID }),
      ...(sandbox && { sandbox }),
      ...(spawn && { spawnClaudeCodeProcess: spawn }),
    };
    return { query: query({ prompt: params.prompt, options }), tools };
  };
}

/** How the SDK receives the agent's result. Without it in the list, a session ends without one. */
const RESULT_TOOL = 'StructuredOutput';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const DEFAULT_TOOLS: Readonly<Record<AgentRole, readonly string[]>> = {
  planner: ['Read', 'Grep', 'Glob'],
  implementor: ['Read', 'Grep', 'Glob', 'Write', 'Edit', 'Bash'],
  reviewer: ['Read', 'Grep', 'Glob', 'Bash'],
};

function toolsOf(role: AgentRole, listed: readonly string[] | undefined, disallowed: readonly string[] = []): string[] {
  const allowed = (listed ?? DEFAULT_TOOLS[role]).filter((tool) => !disallowed.includes(tool));
  return [...new Set([...allowed, RESULT_TOOL])];
}

/** Draft 7: the CLI exits on the newer schema version that zod writes by default. */
function jsonSchemaFor(role: AgentRole): Record<string, unknown> {
  return { ...z.toJSONSchema(outputSchemaFor(role), { target: 'draft-7' }) };
}

/** One hook for all tools. `onFailure` because the SDK lets a call through when its hook throws. */
function hookFor(guard: ToolGuard): HookCallbackMatcher {
  return {
    onFailure: 'block',
    hooks: [
      async (input): Promise<HookJSONOutput> => {
        if (input.hook_event_name !== 'PreToolUse') return {};
        if (input.tool_name === RESULT_TOOL) return { decision: 'approve' };
        const decision = await guard({ tool_name: input.tool_name, tool_input: input.tool_input, cwd: input.cwd });
        if (decision.decision === 'block') return { ...decision };
        if (!('input' in decision)) return { decision: 'approve' };
        return {
          hookSpecificOutput: {
            hookEventName: 'PreToolUse',
            permissionDecision: 'allow',
            updatedInput: decision.input,
          },
        };
      },
    ],
  };
}
