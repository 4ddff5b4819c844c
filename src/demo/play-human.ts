import { z } from 'zod';
import type { EmbeddedForge } from '../forge/create-embedded-forge.ts';

const merged = z.object({ merged: z.boolean() });

/** Merges a pull request as the human whose credential is in the forge's git URL. */
export async function mergeAsHuman(forge: EmbeddedForge, prNumber: number): Promise<void> {
  const { password } = new URL(forge.gitURL);
  const url = `${forge.url}/repos/${forge.owner}/${forge.repo}/pulls/${prNumber}/merge`;
  const headers = { authorization: `Bearer ${decodeURIComponent(password)}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'PUT', headers, body: '{}' });
  const answer = merged.safeParse(await response.json());
  if (!response.ok || !answer.success || !answer.data.merged) {
    throw new Error(`The human could not merge pull request #${prNumber}: the forge answered ${response.status}.`);
  }
}
