import type { EngineEvent } from '../engine/engine-types.ts';

/** One line for people about an event of the engine; null for events that say nothing new. */
export function describeEvent(event: EngineEvent): string | null {
  switch (event.type) {
    case 'specChanged':
      return saying('spec', `${event.filePath} is ${event.frontmatterStatus}`);
    case 'agentStarted':
      return saying(event.agentType, `started${subject(event)}`);
    case 'agentCompleted':
      return saying(event.agentType, `done${subject(event)}`);
    case 'agentFailed':
      return saying(event.agentType, `failed${subject(event)}: ${event.error}`);
    case 'issueStatusChanged':
      return saying('item', `#${event.issueNumber} ${event.title}: ${event.newStatus ?? 'closed'}`);
    case 'prLinked':
      return saying('pull', `#${event.prNumber} opened for #${event.issueNumber}`);
    case 'ciStatusChanged':
      return event.newCIStatus === 'pending' ? null : saying('ci', `#${event.prNumber}: ${event.newCIStatus}`);
  }
}

/** Whose business it is, in a column of its own. */
export function saying(who: string, what: string): string {
  return `${who.padEnd('implementor'.length)}  ${what}`;
}

function subject({ issueNumber, specPaths }: { issueNumber?: number; specPaths?: string[] }): string {
  if (issueNumber !== undefined) return ` on #${issueNumber}`;
  return specPaths === undefined ? '' : ` on ${specPaths.join(', ')}`;
}
