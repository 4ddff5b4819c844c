import type { EngineEvent } from '../engine/engine-types.ts';

/** One line for people about an event of the engine; null for events that say nothing new. */
export function describeEvent(event: EngineEvent): string | null {
  switch (event.type) {
    case 'specChanged':
      return `spec      ${event.filePath} is ${event.frontmatterStatus}`;
    case 'agentStarted':
      return `${event.agentType.padEnd(9)} started${subject(event)}`;
    case 'agentCompleted':
      return `${event.agentType.padEnd(9)} done${subject(event)}`;
    case 'agentFailed':
      return `${event.agentType.padEnd(9)} failed${subject(event)}: ${event.error}`;
    case 'issueStatusChanged':
      if (event.newStatus === null) return `item      #${event.issueNumber} ${event.title}: closed`;
      return `item      #${event.issueNumber} ${event.title}: ${event.newStatus}`;
    case 'prLinked':
      return `pull      #${event.prNumber} opened for #${event.issueNumber}`;
    case 'ciStatusChanged':
      return event.newCIStatus === 'pending' ? null : `ci        #${event.prNumber}: ${event.newCIStatus}`;
  }
}

function subject({ issueNumber, specPaths }: { issueNumber?: number; specPaths?: string[] }): string {
  if (issueNumber !== undefined) return ` on #${issueNumber}`;
  return specPaths === undefined ? '' : ` on ${specPaths.join(', ')}`;
}
