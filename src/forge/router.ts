import { APIError, notFound } from './api.ts';
import type { APIAnswer, APIRequest } from './api.ts';
import type { Caller } from './authentication.ts';
import type { Forge } from './forge.ts';
import { routes } from './routes.ts';
import type { Access, Route } from './routes.ts';

export interface Match {
  readonly route: Route;
  readonly params: ReadonlyMap<string, string>;
}

/** Throws 501 for what the forge does not serve. */
export function matchRoute(method: string, path: string): Match {
  for (const { route, pattern } of compiled) {
    const match = route.method === method ? pattern.exec(path) : null;
    if (match === null) continue;
    return { route, params: new Map(Object.entries(match.groups ?? {}).map(([name, value]) => [name, decode(value)])) };
  }
  throw new APIError(501, `The embedded forge does not serve ${method} ${path}`);
}

export async function callRoute(
  forge: Forge,
  { route, params }: Match,
  request: Omit<APIRequest, 'param'>,
): Promise<APIAnswer> {
  refuseUnlessAllowed(request.caller, route.access);
  const { owner, repo } = forge.identity;
  const named = [params.get('owner') ?? owner, params.get('repo') ?? repo].join('/');
  if (named.toLowerCase() !== `${owner}/${repo}`.toLowerCase()) throw notFound();
  const param = (name: string): string => {
    const value = params.get(name);
    if (value === undefined) throw new Error(`The route ${route.path} has no part {${name}}`);
    return value;
  };
  return route.handler(forge, { ...request, param });
}

/** Refs and paths may contain slashes, encoded or not. */
const compiled = routes.map((route) => ({
  route,
  pattern: new RegExp(
    `^${route.path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'ref' || name === 'path' ? `(?<${name}>.*)` : `(?<${name}>[^/]+)`))}$`,
  ),
}));

function refuseUnlessAllowed(caller: Caller, access: Access): void {
  if (access === 'app') {
    if (caller.kind !== 'app') throw new APIError(401, 'A JSON web token could not be decoded');
    return;
  }
  if (caller.kind === 'human') return;
  if (caller.kind === 'app') throw new APIError(401, 'Bad credentials');
  const [name = '', level] = access.split(':');
  const held = new Map(Object.entries(caller.permissions)).get(name);
  if (held !== 'write' && held !== level) throw new APIError(403, 'Resource not accessible by integration');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) throw new APIError(400, 'The path is not properly encoded');
    throw error;
  }
}
