import type { AgentStartParams, RuntimeAdapterDeps } from '../types.ts';
import { buildImplementorContext } from './build-implementor-context.ts';
import { buildPlannerContext } from './build-planner-context.ts';
import { buildReviewerContext } from './build-reviewer-context.ts';

/** Turns the identifiers of a run into everything that its agent is told. Rejects if a read fails. */
export async function buildContext(params: AgentStartParams, deps: RuntimeAdapterDeps): Promise<string> {
  if (params.role === 'planner') return buildPlannerContext(params, deps);
  if (params.role === 'implementor') return buildImplementorContext(params, deps);
  return buildReviewerContext(params, deps);
}
