import { z } from 'zod';
import type { Transport } from './transport.ts';

/**
 * `@octokit/auth-app` believes every answer to a request for a token: it would send the word "undefined" as one, and
 * for seconds. An answer without a token becomes a failure of the server, which it is.
 */
export function requireToken(fetch: Transport['fetch']): Transport['fetch'] {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.status >= 400 || !url.endsWith('/access_tokens')) return response;
    // Text that is no JSON holds no token either.
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => null);
    if (TokenAnswer.safeParse(body).success) return response;
    const message = `It answered ${response.status} without a token. Is this the address of GitHub's API?`;
    const headers = { 'content-type': 'application/json' };
    return new Response(JSON.stringify({ message }), { status: 502, headers });
  };
}

const TokenAnswer = z.object({
  token: z.string().min(1),
  expires_at: z.string().refine((text) => Number.isFinite(Date.parse(text))),
});
