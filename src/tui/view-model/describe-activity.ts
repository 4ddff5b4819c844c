import type { EngineEvent } from '../../engine/engine-types.ts';
import { clean } from './text-cells.ts';

/** One line about an event; null for events that say nothing new to a person. */
export function describeActivity(event: EngineEvent): string | null {
  switch (event.type) {
    case 'specChanged':
      return `${clean(event.filePath)} is ${event.frontmatterStatus}`;
    case 'agentStarted':
      return `${event.agentType} started${aboutOf(event)}`;
    case 'agentCompleted':
      return `${event.agentType} finished${aboutOf(event)}`;
    case 'agentFailed':
      return `${event.agentType} failed${aboutOf(event)}: ${clean(event.error)}`;
    case 'issueStatusChanged':
      return `#${event.issueNumber} is ${event.newStatus ?? 'closed'}: ${clean(event.title)}`;
    case 'prLinked':
      return `pull request #${event.prNumber} opened for #${event.issueNumber}`;
    case 'ciStatusChanged':
      return event.newCIStatus === 'pending' ? null : `CI of #${event.prNumber}: ${event.newCIStatus}`;
  }
}

function aboutOf({ issueNumber, specPaths }: { issueNumber?: number; specPaths?: string[] }): string {
  if (issueNumber !== undefined) return ` on #${issueNumber}`;
  return specPaths === undefined ? '' : ` on ${specPaths.map(clean).join(', ')}`;
}
