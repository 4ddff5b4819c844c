import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { findConfigFile, loadConfig } from '../../config/load-config.ts';
import { validateBashCommand } from '../../engine/runtime-adapter/guards/bash/validate-bash-command.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { findRoot } from '../project/find-project.ts';

/** What Claude Code writes to a PreToolUse hook, as far as it is read here. */
const hookInput = z.object({ tool_name: z.string(), tool_input: z.unknown(), cwd: z.string().optional() });
const bashInput = z.object({ command: z.string() });

/** Claude Code takes this exit code as "blocked, the reason is on standard error"; any other failure lets the call through. */
const BLOCKED = EXIT.usage;

/** The validator for interactive sessions: no answer means that Claude Code decides as it would without it. */
export async function hookBash(context: Context): Promise<ExitCode> {
  try {
    const reason = await whyBlocked(await text(process.stdin), context.cwd);
    if (reason === null) return EXIT.ok;
    context.terminal.note(reason);
  } catch (error) {
    context.terminal.note(`Blocked: the hook failed: ${error instanceof Error ? error.message : String(error)}`);
  }
  return BLOCKED;
}

async function whyBlocked(input: string, cwd: string): Promise<string | null> {
  const event = hookInput.safeParse(parseJSON(input));
  if (!event.success) return 'Blocked: the input of the hook is not what Claude Code sends.';
  if (event.data.tool_name !== 'Bash') return null;
  const tool = bashInput.safeParse(event.data.tool_input);
  if (!tool.success) return 'Blocked: the input of Bash cannot be understood.';
  const at = event.data.cwd ?? cwd;
  const project = await findRoot(at).catch(() => null);
  const allow = project === null ? [] : await allowedIn(project);
  const decision = validateBashCommand(tool.data.command, { root: project ?? at, cwd: at, allow });
  return decision.decision === 'approve' ? null : decision.reason;
}

/** Without a configuration nothing is allowed beyond the built-in list; one that is wrong is an error. */
async function allowedIn(root: string): Promise<readonly string[]> {
  return (await findConfigFile(root)) === null ? [] : (await loadConfig(root)).config.agents.bash.allow;
}

function parseJSON(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
