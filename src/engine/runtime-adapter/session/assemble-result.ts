import { z } from 'zod';
import type { AgentResult, PatchArtifact } from '../../../domain/agent-result.ts';
import type { AgentRole } from '../../../domain/run.ts';
import { RunError } from '../../ports.ts';
import type { ImplementorOutput } from '../schemas.ts';
import { ImplementorOutputSchema, PlannerOutputSchema, ReviewerOutputSchema } from '../schemas.ts';

/**
 * Turns what an agent returned into a result: validated, and for an implementor that completed with its patch.
 * Rejects with RunError `invalid-output` or `empty-patch`, or with whatever `extract` rejects with.
 */
export async function assembleResult(
  role: AgentRole,
  output: unknown,
  extract: () => Promise<PatchArtifact | null>,
): Promise<AgentResult> {
  switch (role) {
    case 'planner':
      return parse(PlannerOutputSchema, role, output);
    case 'reviewer':
      return parse(ReviewerOutputSchema, role, output);
    case 'implementor':
      return withPatch(parse(ImplementorOutputSchema, role, output), extract);
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, role: AgentRole, output: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(output);
  if (parsed.success) return parsed.data;
  const problem = output === undefined ? 'nothing was returned' : z.prettifyError(parsed.error);
  throw new RunError('invalid-output', `the ${role} did not return what it has to: ${problem}`, {
    cause: parsed.error,
  });
}

async function withPatch(
  output: ImplementorOutput,
  extract: () => Promise<PatchArtifact | null>,
): Promise<AgentResult> {
  if (output.outcome !== 'completed') return { ...output, patch: null, baseSHA: null, treeSHA: null };
  const artifact = await extract();
  if (artifact === null) {
    throw new RunError('empty-patch', 'the implementor said that it completed the work item but changed nothing');
  }
  return { ...output, ...artifact };
}
