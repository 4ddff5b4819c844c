import { createPublicKey, generateKeyPair, randomBytes, randomInt } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Store } from './store.ts';

export const HUMAN = 'human';
export const BOT = 'decree[bot]';
export const APP_SLUG = 'decree';

/** Who is who. Made at the first start and kept. */
export interface Identity {
  readonly owner: string;
  readonly repo: string;
  readonly appID: number;
  readonly installationID: number;
  readonly privateKey: string;
  readonly publicKey: KeyObject;
  readonly humanToken: string;
  readonly createdAt: string;
}

export async function loadIdentity(
  store: Store,
  wishes: { repo: string; privateKey: string | undefined; now: string },
): Promise<Identity> {
  const privateKey =
    readSetting(store, 'private_key') ?? keep(store, 'private_key', wishes.privateKey ?? (await makeKey()));
  return {
    owner: HUMAN,
    repo: readSetting(store, 'repo') ?? keep(store, 'repo', wishes.repo),
    appID: 1,
    // Octokit shares requests for tokens by installation: two forges in one process must not have the same one.
    installationID: Number(
      readSetting(store, 'installation_id') ?? keep(store, 'installation_id', String(randomInt(1, 2 ** 31))),
    ),
    privateKey,
    publicKey: createPublicKey(privateKey),
    humanToken:
      readSetting(store, 'human_token') ?? keep(store, 'human_token', `ghp_${randomBytes(27).toString('hex')}`),
    createdAt: readSetting(store, 'created_at') ?? keep(store, 'created_at', wishes.now),
  };
}

export function readSetting(store: Store, name: string): string | null {
  return store.get(settingRow, 'SELECT value FROM settings WHERE name = ?', name)?.value ?? null;
}

export function keep(store: Store, name: string, value: string): string {
  store.run('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)', name, value);
  return value;
}

const settingRow = z.object({ value: z.string() });

async function makeKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
