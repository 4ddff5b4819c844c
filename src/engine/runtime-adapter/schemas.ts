import { z } from 'zod';
import type { AgentRole } from '../../domain/run.ts';

/**
 * What each agent has to return. The schemas serve twice: as JSON Schema for runtimes that enforce it, and to
 * validate what came back. An implementor returns no patch: the adapter takes that from the worktree.
 */
const PlannedWorkItemSchema = z.object({
  tempID: z.string(),
  title: z.string(),
  body: z.string(),
  labels: z.array(z.string()),
  blockedBy: z.array(z.string()).describe('tempIDs of this plan or ids of existing work items'),
});

const PlannedWorkItemUpdateSchema = z.object({
  workItemID: z.string(),
  body: z.string().nullable().describe('null: no change'),
  labels: z.array(z.string()).nullable().describe('null: no change'),
});

export const PlannerOutputSchema = z.object({
  role: z.literal('planner'),
  create: z.array(PlannedWorkItemSchema),
  close: z.array(z.string()),
  update: z.array(PlannedWorkItemUpdateSchema),
});

export const ImplementorOutputSchema = z.object({
  role: z.literal('implementor'),
  outcome: z.enum(['completed', 'blocked', 'validation-failure']),
  summary: z.string(),
});

const AgentReviewCommentSchema = z.object({
  path: z.string(),
  line: z.number().nullable(),
  body: z.string(),
});

const AgentReviewSchema = z.object({
  verdict: z.enum(['approve', 'needs-changes']),
  summary: z.string(),
  comments: z.array(AgentReviewCommentSchema),
});

export const ReviewerOutputSchema = z.object({
  role: z.literal('reviewer'),
  review: AgentReviewSchema,
});

const OUTPUT_SCHEMAS = {
  planner: PlannerOutputSchema,
  implementor: ImplementorOutputSchema,
  reviewer: ReviewerOutputSchema,
} as const;

export function outputSchemaFor<Role extends AgentRole>(role: Role): (typeof OUTPUT_SCHEMAS)[Role] {
  return OUTPUT_SCHEMAS[role];
}

export type ImplementorOutput = z.infer<typeof ImplementorOutputSchema>;
