import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, dirname } from 'node:path';
import { killGroup } from '../git/process-group.ts';
import { spawnGit } from '../git/run-git.ts';
import { APIError } from './api.ts';
import { authenticate } from './authentication.ts';
import type { Forge } from './forge.ts';
import { noticeMovedBranches } from './ref-changes.ts';
import type { WriteLock } from './write-lock.ts';

/** The part of the path that git's backend handles, or null if this is not a request of git. */
export function gitPath(forge: Forge, url: URL): string | null {
  const { owner, repo } = forge.identity;
  const [, folder = '', path] =
    /^\/([^/]+\/[^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/.exec(url.pathname) ?? [];
  return folder.toLowerCase() === `${owner}/${repo}`.toLowerCase() ? (path ?? null) : null;
}

/** Serves clone, fetch and push through `git http-backend`. The app may read; pushing is for the human. */
export async function serveGit(
  forge: Forge,
  lock: WriteLock,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  path: string,
): Promise<void> {
  const isPush = path === 'git-receive-pack' || url.searchParams.get('service') === 'git-receive-pack';
  const login = admit(forge, request, isPush);
  if (typeof login !== 'string') {
    const challenge = login.status === 401 ? { 'www-authenticate': 'Basic realm="decree forge"' } : {};
    response.writeHead(login.status, { 'content-type': 'text/plain', ...challenge }).end(`${login.message}\n`);
    return;
  }
  const finish = async (): Promise<void> => {
    // The pusher hears of success only when everything that follows from the push is visible.
    if (isPush && request.method === 'POST') await lock.run(() => noticeMovedBranches(forge, login));
  };
  await runBackend(backendEnvironment(forge, request, url, path, login), forge.git.path, request, response, finish);
}

function admit(forge: Forge, request: IncomingMessage, isPush: boolean): string | APIError {
  try {
    const caller = authenticate(forge, request.headers.authorization);
    if (caller.kind === 'app') return new APIError(401, 'Bad credentials');
    if (caller.kind === 'human') return caller.login;
    const mayRead = !isPush && caller.permissions.contents !== undefined;
    return mayRead ? caller.login : new APIError(403, 'Resource not accessible by integration');
  } catch (error) {
    if (error instanceof APIError) return error;
    throw error;
  }
}

function backendEnvironment(
  forge: Forge,
  request: IncomingMessage,
  url: URL,
  path: string,
  login: string,
): Record<string, string> {
  const { headers } = request;
  const protocol = headers['git-protocol'];
  return {
    GIT_PROJECT_ROOT: dirname(forge.git.path),
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: `/${basename(forge.git.path)}/${path}`,
    REQUEST_METHOD: request.method ?? 'GET',
    QUERY_STRING: url.search.slice(1),
    CONTENT_TYPE: headers['content-type'] ?? '',
    REMOTE_USER: login,
    REMOTE_ADDR: '127.0.0.1',
    SERVER_PROTOCOL: 'HTTP/1.1',
    ...(headers['content-length'] === undefined ? {} : { CONTENT_LENGTH: headers['content-length'] }),
    ...(headers['content-encoding'] === undefined ? {} : { HTTP_CONTENT_ENCODING: headers['content-encoding'] }),
    ...(typeof protocol === 'string' ? { GIT_PROTOCOL: protocol } : {}),
  };
}

async function runBackend(
  env: Record<string, string>,
  cwd: string,
  request: IncomingMessage,
  response: ServerResponse,
  finish: () => Promise<void>,
): Promise<void> {
  const child = spawnGit(['http-backend'], { cwd, env });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  response.once('close', () => killGroup(child, 'SIGTERM'));
  child.stderr.resume();
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
  let head: Buffer | null = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    if (head === null) {
      if (!response.write(chunk)) {
        child.stdout.pause();
        response.once('drain', () => child.stdout.resume());
      }
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    writeHead(response, head.toString('latin1', 0, end));
    response.write(head.subarray(end + 4));
    head = null;
  });
  await ended;
  await finish();
  if (!response.headersSent) response.writeHead(500);
  response.end();
}

/** CGI: header lines, of which `Status` is the status. */
function writeHead(response: ServerResponse, head: string): void {
  const headers = head
    .split('\r\n')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const);
  const status = headers.find(([name]) => name.toLowerCase() === 'status')?.[1] ?? '200';
  const rest = headers.filter(([name]) => name.toLowerCase() !== 'status');
  response.writeHead(Number.parseInt(status, 10), Object.fromEntries(rest));
}
