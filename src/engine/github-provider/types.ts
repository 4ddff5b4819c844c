import type { Clock, Logger, Provider } from '../ports.ts';
import type { EngineQueries } from '../query-port.ts';
import type { FindConflicts } from './writers/branch-writer.ts';

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
  /** Globs of paths that no patch may touch. */
  readonly protectedPaths?: readonly string[];
  /** Finds the paths on which a patch collides with other work; without it, a conflict names all paths of the patch. */
  readonly findConflicts?: FindConflicts;
}

export interface GitHubProvider extends Provider {
  readonly queries: EngineQueries;
}
