import { z } from 'zod';
import { AGENT_ROLES } from '../../../domain/run.ts';
import type { AgentStartParams } from '../../ports.ts';

/**
 * What a scripted agent does, one step after the other. Paths are relative to its working folder. A run must end in
 * `return` or `fail`; `return` without an output, or no end at all, is an invalid output like any other.
 */
const StepSchema = z.discriminatedUnion('do', [
  /** Text for the live output. */
  z.strictObject({ do: z.literal('print'), text: z.string() }),
  /** Makes or replaces a file (implementors only, as are `edit` and `delete`). */
  z.strictObject({
    do: z.literal('write'),
    path: z.string(),
    content: z.string(),
    executable: z.boolean().optional(),
  }),
  /** Replaces the first occurrence of a text, which must be there. */
  z.strictObject({ do: z.literal('edit'), path: z.string(), find: z.string().min(1), replace: z.string() }),
  z.strictObject({ do: z.literal('delete'), path: z.string() }),
  /** A shell command with the agent's environment. Its failure fails the run, unless it is allowed to fail. */
  z.strictObject({ do: z.literal('run'), command: z.string(), mayFail: z.boolean().optional() }),
  /** Time of the engine's clock. */
  z.strictObject({ do: z.literal('wait'), ms: z.number().nonnegative() }),
  /** Adds to what the run has used; beyond its budget it is stopped. */
  z.strictObject({
    do: z.literal('spend'),
    usd: z.number().nonnegative(),
    inputTokens: z.number().int().nonnegative().optional(),
    outputTokens: z.number().int().nonnegative().optional(),
  }),
  z.strictObject({ do: z.literal('fail'), message: z.string() }),
  /** Does nothing until it is cancelled or out of time. */
  z.strictObject({ do: z.literal('hang') }),
  /** Ends the run with this output; it is validated like that of any agent. */
  z.strictObject({ do: z.literal('return'), output: z.unknown() }),
]);
export type Step = z.infer<typeof StepSchema>;

/**
 * What all agents of a demo or simulation do, as data. The first entry that fits a run says what its agent does:
 *
 *   { "runs": [
 *     { "role": "implementor", "title": "login", "attempt": 1, "steps": [
 *       { "do": "print", "text": "Adding the form." },
 *       { "do": "write", "path": "src/login.ts", "content": "export const login = true;\n" },
 *       { "do": "run", "command": "npm test" },
 *       { "do": "return", "output": { "role": "implementor", "outcome": "completed", "summary": "Form added." } } ] },
 *     { "role": "implementor", "steps": [ { "do": "fail", "message": "Not in the script." } ] } ] }
 */
export const ScenarioSchema = z.strictObject({
  runs: z.array(
    z.strictObject({
      role: z.enum(AGENT_ROLES),
      workItemID: z.string().optional(),
      /** A part of the work item's title. */
      title: z.string().optional(),
      attempt: z.number().int().positive().optional(),
      /** A part of what the agent is told. */
      prompt: z.string().optional(),
      /** Whether the work item has a revision already. */
      isRevised: z.boolean().optional(),
      steps: z.array(StepSchema),
    }),
  ),
});
export type Scenario = z.infer<typeof ScenarioSchema>;

/** Throws with every problem and where it is. */
export function parseScenario(data: unknown): Scenario {
  const parsed = ScenarioSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new Error(`the scenario of the scripted agents is not valid:\n${z.prettifyError(parsed.error)}`, {
    cause: parsed.error,
  });
}

export interface ScenarioSubject {
  /** Null for planners. */
  readonly title: string | null;
  readonly prompt: string;
  readonly isRevised: boolean;
}

/** Throws if no entry fits: a run without a script is a mistake in the scenario. */
export function stepsFor(scenario: Scenario, params: AgentStartParams, subject: ScenarioSubject): readonly Step[] {
  const workItemID = params.role === 'planner' ? null : params.workItemID;
  const fitting = scenario.runs.find(
    (run) =>
      run.role === params.role &&
      (run.workItemID === undefined || run.workItemID === workItemID) &&
      (run.title === undefined || (subject.title?.includes(run.title) ?? false)) &&
      (run.attempt === undefined || run.attempt === params.attempt) &&
      (run.prompt === undefined || subject.prompt.includes(run.prompt)) &&
      (run.isRevised === undefined || run.isRevised === subject.isRevised),
  );
  if (fitting !== undefined) return fitting.steps;
  const about = workItemID === null ? '' : ` of work item ${workItemID} ("${subject.title ?? 'unknown title'}")`;
  throw new Error(`the scenario has no entry for attempt ${params.attempt} of the ${params.role}${about}; add one`);
}
