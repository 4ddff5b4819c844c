import { createHash, randomBytes, timingSafeEqual, verify } from 'node:crypto';
import { z } from 'zod';
import { APIError } from './api.ts';
import { timestamp } from './forge.ts';
import type { Forge, Permissions } from './forge.ts';
import { BOT, HUMAN } from './identity.ts';

/** `app` proves to be the app (by its key) and may only ask for tokens; `installation` is the app at work. */
export interface Caller {
  readonly kind: 'app' | 'installation' | 'human';
  readonly login: string;
  readonly token: string;
  readonly permissions: Permissions;
}

/** Who sent this `Authorization` header. Throws 401 unless it is valid at this moment. */
export function authenticate(forge: Forge, header: string | undefined): Caller {
  const token = tokenOf(header);
  if (token === null) throw new APIError(401, 'Requires authentication');
  if (token.split('.').length === 3) return authenticateApp(forge, token);
  if (isSame(token, forge.identity.humanToken)) return { kind: 'human', login: HUMAN, token, permissions: {} };
  const found = forge.store.get(tokenRow, 'SELECT expires_at FROM tokens WHERE hash = ?', hashOf(token));
  if (found === null || found.expires_at <= forge.now()) throw new APIError(401, 'Bad credentials');
  return { kind: 'installation', login: BOT, token, permissions: forge.permissions };
}

export function createInstallationToken(forge: Forge): { token: string; expiresAt: string } {
  const token = `ghs_${randomBytes(27).toString('hex')}`;
  const expiresAt = forge.now() + forge.tokenLifetimeMs;
  forge.store.run('DELETE FROM tokens WHERE expires_at <= ?', forge.now());
  forge.store.run('INSERT INTO tokens VALUES (?, ?)', hashOf(token), expiresAt);
  return { token, expiresAt: timestamp(expiresAt) };
}

const tokenRow = z.object({ expires_at: z.number() });

/** Accepts `Bearer`, `token`, and the password of `Basic`, which is how git sends a token. */
function tokenOf(header: string | undefined): string | null {
  const [, scheme = '', value = ''] = /^(bearer|token|basic) +(\S+)$/i.exec(header ?? '') ?? [];
  if (value === '') return null;
  if (scheme.toLowerCase() !== 'basic') return value;
  const pair = Buffer.from(value, 'base64').toString('utf8');
  return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : null;
}

const claimsSchema = z.object({
  iss: z.union([z.string(), z.number()]),
  iat: z.number(),
  exp: z.number(),
});

/** The messages are GitHub's: Octokit recognises those about time and corrects its clock by our `Date` header. */
function authenticateApp(forge: Forge, token: string): Caller {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const undecodable = new APIError(401, 'A JSON web token could not be decoded');
  const algorithm = z.object({ alg: z.literal('RS256') }).safeParse(parseSegment(header));
  const claims = claimsSchema.safeParse(parseSegment(payload));
  const bytes = Buffer.from(signature, 'base64url');
  const isSigned = verify('RSA-SHA256', Buffer.from(`${header}.${payload}`), forge.identity.publicKey, bytes);
  if (!algorithm.success || !claims.success || !isSigned) throw undecodable;
  const { iss, iat, exp } = claims.data;
  const now = forge.now() / 1000;
  if (exp <= now)
    throw new APIError(
      401,
      `${EXP} must be a numeric value representing the future time at which the assertion expires`,
    );
  if (exp > now + 660) throw new APIError(401, `${EXP} is too far in the future`);
  if (iat > now + 60)
    throw new APIError(401, `${IAT} must be an Integer representing the time that the assertion was issued`);
  if (String(iss) !== String(forge.identity.appID)) throw new APIError(401, 'A JSON web token could not be decoded');
  return { kind: 'app', login: BOT, token, permissions: {} };
}

const EXP = "'Expiration time' claim ('exp')";
const IAT = "'Issued at' claim ('iat')";

function parseSegment(segment: string): unknown {
  try {
    return JSON.parse(Buffer.from(segment, 'base64url').toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

const isSame = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(hashOf(a)), Buffer.from(hashOf(b)));
