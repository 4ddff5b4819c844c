import type { RequestedEvent } from '../domain/event.ts';
import type { EngineCommand } from './engine-types.ts';

/** From a public command, with its numbers, to the event that it becomes. */
export function requestOf(command: Exclude<EngineCommand, { command: 'shutdown' }>): RequestedEvent {
  switch (command.command) {
    case 'dispatchImplementor':
      return { type: 'implementationRequested', workItemID: String(command.issueNumber) };
    case 'dispatchReviewer':
      return { type: 'reviewRequested', workItemID: String(command.issueNumber) };
    case 'cancelAgent':
      return { type: 'cancelRequested', workItemID: String(command.issueNumber) };
    case 'cancelPlanner':
      return { type: 'plannerCancelRequested' };
    case 'mergeRevision':
      return { type: 'mergeRequested', workItemID: String(command.issueNumber) };
  }
}
