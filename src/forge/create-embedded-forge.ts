import { chmod, mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { serveAPI } from './api-server.ts';
import { createCIRunner } from './ci-runner.ts';
import type { CIOptions } from './ci-runner.ts';
import { timestamp } from './forge.ts';
import type { Forge, Permissions } from './forge.ts';
import { openGitRepository } from './git-repository.ts';
import { HUMAN, keep, loadIdentity, readSetting } from './identity.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { noticeMovedBranches } from './ref-changes.ts';
import { gitPath, serveGit } from './smart-http.ts';
import { openStore } from './store.ts';
import type { Store } from './store.ts';
import { createWriteLock } from './write-lock.ts';

export interface EmbeddedForgeOptions {
  /** Where everything is kept. The same folder is the same forge. */
  readonly dir: string;
  /** Default: the port of the last time if it is free, else any. */
  readonly port?: number;
  /** Only this machine may connect. Default: 127.0.0.1. */
  readonly hostname?: '127.0.0.1' | 'localhost' | '::1';
  /** Name of the repository of a new forge. */
  readonly repo?: string;
  /** Default: `main`. */
  readonly defaultBranch?: string;
  /** PEM of the app's RSA key of a new forge. Default: a new one is made. */
  readonly privateKey?: string;
  readonly permissions?: Permissions;
  readonly ci?: CIOptions;
  /** Requests an hour. Default: 5000. */
  readonly rateLimit?: number;
  readonly tokenLifetimeMs?: number;
  /** Epoch ms. */
  readonly now?: () => number;
  /** Hears of errors that are the forge's own fault and were answered with 500. */
  readonly onError?: (error: unknown) => void;
}

export interface EmbeddedForge {
  /** Octokit's `baseUrl`. */
  readonly url: string;
  /** For plain git, with the human's credential in it. Its password also works as the human's REST token. */
  readonly gitURL: string;
  readonly owner: string;
  readonly repo: string;
  readonly appID: number;
  readonly installationID: number;
  readonly privateKey: string;
  close(): Promise<void>;
}

/** A small GitHub on this machine: one repository, one app, one human. */
export async function createEmbeddedForge(options: EmbeddedForgeOptions): Promise<EmbeddedForge> {
  // What was opened is closed again in reverse order: now, if something fails, or else by `close`.
  await using opened = new AsyncDisposableStack();
  const now = options.now ?? Date.now;
  const onError = options.onError ?? (() => undefined);
  await mkdir(options.dir, { recursive: true });
  await chmod(options.dir, 0o700);
  const store = openStore(join(options.dir, 'forge.db'));
  opened.defer(() => store.close());
  const wishes = { repo: options.repo ?? 'project', privateKey: options.privateKey, now: timestamp(now()) };
  const identity = await loadIdentity(store, wishes);
  const git = await openGitRepository(join(options.dir, 'repository.git'), options.defaultBranch ?? 'main');
  opened.defer(() => git.close());
  const ci = createCIRunner(options.ci, { store, repository: git.path, now });
  opened.defer(() => ci.close());
  const lock = createWriteLock();
  const limiter = createRateLimiter(options.rateLimit ?? 5_000, now);

  const server = createServer();
  const host = await listen(server, store, options);
  const url = `http://${host}`;
  const { owner, repo } = identity;
  const forge: Forge = {
    identity,
    permissions: options.permissions ?? DEFAULT_PERMISSIONS,
    url,
    api: `${url}/repos/${owner}/${repo}`,
    html: `${url}/${owner}/${repo}`,
    store,
    git,
    ci,
    tokenLifetimeMs: options.tokenLifetimeMs ?? 3_600_000,
    now,
  };
  opened.defer(
    serve(server, onError, async (request, response) => {
      const target = new URL(request.url ?? '/', url);
      const path = gitPath(forge, target);
      if (path === null) await serveAPI(forge, { limiter, lock, onError }, request, response, target);
      else await serveGit(forge, lock, request, response, target, path);
    }),
  );
  await lock.run(() => noticeMovedBranches(forge, HUMAN));
  ci.resume();

  const kept = opened.move();
  return {
    url,
    gitURL: `http://${HUMAN}:${identity.humanToken}@${host}/${owner}/${repo}.git`,
    owner,
    repo,
    appID: identity.appID,
    installationID: identity.installationID,
    privateKey: identity.privateKey,
    close: () => kept.disposeAsync(),
  };
}

const DEFAULT_PERMISSIONS: Permissions = {
  checks: 'read',
  contents: 'write',
  issues: 'write',
  metadata: 'read',
  pull_requests: 'write',
  statuses: 'read',
};

/** Starts to answer requests. Returns how to stop: connections are cut, what is being done is finished. */
function serve(
  server: Server,
  onError: (error: unknown) => void,
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): () => Promise<void> {
  const active = new Set<Promise<void>>();
  server.on('request', (request, response) => {
    const served = answer(request, response).catch((error: unknown) => {
      onError(error);
      response.destroy();
    });
    active.add(served);
    void served.finally(() => active.delete(served));
  });
  return async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    await Promise.all(active);
  };
}

/** Callers without types could ask for others. */
const LOCAL: readonly string[] = ['127.0.0.1', 'localhost', '::1'];

/** Resolves to host and port. The port of the last time is taken again if it is free, so that clones keep working. */
async function listen(server: Server, store: Store, options: EmbeddedForgeOptions): Promise<string> {
  const hostname = options.hostname ?? '127.0.0.1';
  if (!LOCAL.includes(hostname)) {
    throw new Error(
      `The embedded forge only listens on this machine; choose one of ${LOCAL.join(', ')}, not ${hostname}`,
    );
  }
  const remembered = Number(readSetting(store, 'port') ?? 0);
  const attempt = (port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, hostname, () => {
        server.off('error', reject);
        const address = server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : port);
      });
    });
  const port = await attempt(options.port ?? remembered).catch((cause: unknown) => {
    if (options.port === undefined && remembered !== 0) return attempt(0);
    throw new Error(`The embedded forge could not listen on ${hostname}:${options.port}; choose another port`, {
      cause,
    });
  });
  keep(store, 'port', String(port));
  return `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
}
