import { readFile } from 'node:fs/promises';
import type { AgentRole } from '../../../domain/run.ts';

/** The text of the agent file that `decree init` writes for a role. */
export function defaultAgentDefinition(role: AgentRole): Promise<string> {
  return readFile(new URL(`${role}.md`, import.meta.url), 'utf8');
}
