import type { EngineEvent } from './engine-types.ts';
import type { Logger } from './ports.ts';

/** What the log says of a public event. */
export function logEvent(event: EngineEvent, logger: Logger): void {
  const { type: _, ...fields } = event;
  switch (event.type) {
    case 'issueStatusChanged':
      logger.info(fields, event.isRecovery === true ? 'recovery performed' : 'issue status changed');
      return;
    case 'specChanged':
      logger.info(fields, 'spec changed');
      return;
    case 'agentStarted':
      logger.info(fields, 'agent invoked');
      return;
    case 'agentCompleted':
      logger.info(fields, 'agent completed');
      return;
    case 'agentFailed':
      logger.error(fields, 'agent failed');
      return;
    case 'prLinked':
      logger.info(fields, 'pull request linked');
      return;
    case 'ciStatusChanged':
      logger.info(fields, 'CI status changed');
      return;
  }
}
