import type { components } from '@octokit/openapi-types';
import type { CIRunner } from './ci-runner.ts';
import type { GitRepository } from './git-repository.ts';
import type { Identity } from './identity.ts';
import type { Store } from './store.ts';

/** GitHub's own description of its answers. Everything the forge says is built as one of these, without casts. */
export type Schemas = components['schemas'];

export type Permissions = Schemas['app-permissions'];

/** What every handler works on. */
export interface Forge {
  readonly identity: Identity;
  readonly permissions: Permissions;
  /** The server's address; the prefix of API addresses of the repository; that of addresses for people. */
  readonly url: string;
  readonly api: string;
  readonly html: string;
  readonly store: Store;
  readonly git: GitRepository;
  readonly ci: CIRunner;
  /** How long an installation token is valid. */
  readonly tokenLifetimeMs: number;
  /** Epoch ms. */
  now(): number;
}

/** Times are whole seconds, as on GitHub. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
