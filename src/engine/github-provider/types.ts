import type { Clock, Logger, Provider } from '../ports.ts';
import type { EngineQueries } from '../query-port.ts';

export interface GitHubProviderConfig {
  readonly appID: number;
  /** PEM text; the caller reads the file. */
  readonly privateKey: string;
  readonly installationID: number;
  readonly owner: string;
  readonly repo: string;
  /** Relative to the repository's root, e.g. `docs/specs/`. */
  readonly specsDir: string;
  /** The branch whose specs are read and into which revisions go. */
  readonly defaultBranch: string;
  /** The API's root for GitHub Enterprise or the embedded forge; github.com without it. */
  readonly baseURL?: string;
  /** Where to clone from, if not the usual place beside `baseURL`. */
  readonly gitURL?: string;
  readonly userAgent?: string;
  /** How long one request may take. */
  readonly requestTimeoutMs?: number;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** In [0, 1), for the jitter of retries. */
  readonly random?: () => number;
}

export interface GitHubProvider extends Provider {
  readonly queries: EngineQueries;
}
