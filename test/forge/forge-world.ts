import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { createEmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import type { EmbeddedForge, EmbeddedForgeOptions } from '../../src/forge/create-embedded-forge.ts';
import { runGit, runGitText } from '../../src/git/run-git.ts';

/** Made once for a test file: keys are slow to make. */
const appKey = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Talks plain HTTP. Paths that start with a slash are taken as they are, others belong to the repository. */
export type Client = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

/** The embedded forge, a clone beside it, and everybody who talks to it. */
export interface ForgeWorld {
  readonly forge: EmbeddedForge;
  /** Errors that the forge itself did not expect. */
  readonly errors: unknown[];
  readonly clone: string;
  readonly dir: string;
  readonly human: Client;
  readonly app: Client;
  /** Runs git in the clone. */
  git(...args: string[]): Promise<string>;
  /** Commits files on a branch of the clone (made from `from`) and pushes it. Null removes a file. */
  push(branch: string, files: Record<string, string | Buffer | null>, from?: string): Promise<string>;
  /** Closes the forge and opens it again, perhaps differently. */
  restart(options?: Partial<EmbeddedForgeOptions>): Promise<ForgeWorld>;
  close(): Promise<void>;
}

export async function createForgeWorld(options: Partial<EmbeddedForgeOptions> = {}): Promise<ForgeWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'decree-forge-'));
  const clone = join(folder, 'clone');
  await runGit(['init', '--quiet', '--initial-branch=main', clone], { cwd: folder });
  return openWorld(folder, options);
}

/** The same, with a first commit on `main`. */
export async function createSeededWorld(options: Partial<EmbeddedForgeOptions> = {}): Promise<ForgeWorld> {
  const world = await createForgeWorld(options);
  await world.push('main', { 'README.md': '# A project\n', 'src/lines.txt': numberedLines(30) });
  return world;
}

export function numberedLines(count: number, changed: Record<number, string> = {}): string {
  return Array.from({ length: count }, (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}\n`).join('');
}

export function clientOf(forge: EmbeddedForge, authorization: string | undefined): Client {
  return async (method, path, body, headers = {}) => {
    const repository = `/repos/${forge.owner}/${forge.repo}`;
    const ownPath = path === '' ? repository : `${repository}/${path}`;
    const response = await fetch(forge.url + (path.startsWith('/') ? path : ownPath), {
      method,
      headers: { ...(authorization === undefined ? {} : { authorization }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed: unknown = text === '' ? null : JSON.parse(text);
    return { status: response.status, headers: response.headers, body: parsed };
  };
}

export function humanToken(forge: EmbeddedForge): string {
  return decodeURIComponent(new URL(forge.gitURL).password);
}

interface JWTOptions {
  readonly key?: string;
  readonly claims?: Record<string, unknown>;
  readonly algorithm?: 'RS256' | 'HS256' | 'none';
}

/** What an app signs to prove itself; each part can be made wrong. */
export function signJWT(forge: EmbeddedForge, options: JWTOptions = {}): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: forge.appID, iat: now - 30, exp: now + 570, ...options.claims };
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const algorithm = options.algorithm ?? 'RS256';
  const signed = `${encode({ alg: algorithm, typ: 'JWT' })}.${encode(claims)}`;
  const key = options.key ?? forge.privateKey;
  if (algorithm === 'none') return `${signed}.`;
  if (algorithm === 'HS256') return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`;
}

export async function requestToken(forge: EmbeddedForge): Promise<string> {
  const path = `/app/installations/${forge.installationID}/access_tokens`;
  const { body } = await clientOf(forge, `Bearer ${signJWT(forge)}`)('POST', path);
  return z.object({ token: z.string() }).parse(body).token;
}

/** The fields of an answer that tests go on with. */
export const Thing = z.looseObject({
  id: z.number().optional(),
  number: z.number().optional(),
  sha: z.string().optional(),
  name: z.string().optional(),
  title: z.string().optional(),
  filename: z.string().optional(),
  state: z.string().optional(),
  path: z.string().optional(),
  mode: z.string().optional(),
  type: z.string().optional(),
  size: z.number().optional(),
  content: z.string().optional(),
  patch: z.string().optional(),
});

export const thing = (reply: Reply): z.infer<typeof Thing> => Thing.parse(reply.body);
export const things = (reply: Reply): z.infer<typeof Thing>[] => z.array(Thing).parse(reply.body);
export const numberOf = (reply: Reply): number => z.object({ number: z.number() }).parse(reply.body).number;
export const shaOf = (reply: Reply): string => z.object({ sha: z.string() }).parse(reply.body).sha;

async function openWorld(folder: string, options: Partial<EmbeddedForgeOptions>): Promise<ForgeWorld> {
  const errors: unknown[] = [];
  const dir = join(folder, 'forge');
  const onError = (error: unknown): void => void errors.push(error);
  const forge = await createEmbeddedForge({ dir, privateKey: appKey, onError, ...options });
  const clone = join(folder, 'clone');
  const git = (...args: string[]): Promise<string> => runGitText(args, { cwd: clone, env: IDENTITY });
  const token = options.now === undefined ? await requestToken(forge) : '';
  return {
    forge,
    errors,
    clone,
    dir,
    git,
    human: clientOf(forge, `Bearer ${humanToken(forge)}`),
    app: clientOf(forge, `token ${token}`),
    push: async (branch, files, from) => {
      const exists = (await git('branch', '--list', branch)) !== '';
      if (exists) await git('checkout', '--quiet', branch);
      else await git('checkout', '--quiet', '-B', branch, ...(from === undefined ? [] : [from]));
      for (const [path, content] of Object.entries(files)) {
        await mkdir(dirname(join(clone, path)), { recursive: true });
        if (content === null) await rm(join(clone, path));
        else await writeFile(join(clone, path), content);
      }
      await git('add', '--all');
      await git('commit', '--quiet', '--allow-empty', '-m', `Change ${Object.keys(files).join(', ')}`);
      await git('push', '--quiet', forge.gitURL, branch);
      return git('rev-parse', 'HEAD');
    },
    restart: async (changes = {}) => {
      await forge.close();
      return openWorld(folder, { ...options, ...changes });
    },
    close: async () => {
      await forge.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.com',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.com',
};
