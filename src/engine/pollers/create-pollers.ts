import type { Config } from '../../config/schema.ts';
import { ProviderError } from '../../domain/provider-error.ts';
import type { Clock, Logger, Provider } from '../ports.ts';
import type { Poller } from './create-poller.ts';
import { createPoller } from './create-poller.ts';
import { createRevisionPoll } from './poll-revisions.ts';
import { pollSpecs } from './poll-specs.ts';
import type { PollTarget } from './poll-target.ts';
import { pollWorkItems } from './poll-work-items.ts';

export interface PollersDeps {
  readonly config: Config;
  readonly provider: Provider;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly target: PollTarget;
}

/** The three pollers as one. They are independent: one that fails does not hold up the others. */
export function createPollers({ config, provider, clock, logger, target }: PollersDeps): Omit<Poller, 'trouble'> & {
  readonly troubles: () => string[];
} {
  const { specReader, revisionReader, workItemReader } = provider;
  const pollRevisions = createRevisionPoll(revisionReader, () => specReader.getDefaultHead().catch(noHead), target);
  const pollers = [
    poller('specs', config.specPoller.pollInterval, () => pollSpecs(specReader, target)),
    poller('pull requests', config.prPoller.pollInterval, pollRevisions),
    poller('issues', config.issuePoller.pollInterval, () => pollWorkItems(workItemReader, target)),
  ];

  function poller(name: string, seconds: number, poll: () => Promise<void>): Poller {
    return createPoller({
      name,
      intervalMs: seconds * 1000,
      clock,
      logger,
      rateLimit: () => provider.rateLimit(),
      poll,
    });
  }

  async function all(action: (poller: Poller) => Promise<void>): Promise<void> {
    await Promise.all(pollers.map(action));
  }

  return {
    start: () => all((each) => each.start()),
    refresh: () => all((each) => each.refresh()),
    stop: () => all((each) => each.stop()),
    troubles: () => pollers.map((each) => each.trouble()).filter((trouble) => trouble !== null),
  };
}

/** An empty repository has no head, and nothing to be merged into. Any other trouble is the poll's. */
function noHead(error: unknown): string {
  if (error instanceof ProviderError && error.kind === 'not-found') return '';
  throw error;
}
