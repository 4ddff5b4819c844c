import { z } from 'zod';
import type { EmbeddedForge } from '../../src/forge/create-embedded-forge.ts';

/** How an app reaches a forge; plain data, so that it can go to another process. */
export const ForgeAccessSchema = z.object({
  url: z.string(),
  gitURL: z.string(),
  owner: z.string(),
  repo: z.string(),
  appID: z.number(),
  installationID: z.number(),
  privateKey: z.string(),
});
export type ForgeAccess = z.output<typeof ForgeAccessSchema>;

/** The app's access to an embedded forge: without the human's credential. */
export function appAccessOf(forge: EmbeddedForge): ForgeAccess {
  const { url, owner, repo, appID, installationID, privateKey } = forge;
  const gitURL = new URL(forge.gitURL);
  gitURL.username = '';
  gitURL.password = '';
  return { url, gitURL: gitURL.href, owner, repo, appID, installationID, privateKey };
}

/** What a provider needs of it, with the folders that every test uses. */
export function providerOptions({ url, ...app }: ForgeAccess) {
  return { ...app, baseURL: url, specsDir: 'docs/specs/', defaultBranch: 'main' };
}
