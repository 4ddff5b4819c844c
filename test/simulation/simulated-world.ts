import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { EngineOptions } from '../../src/engine/create-engine.ts';
import type { Engine } from '../../src/engine/engine-types.ts';
import { createGitHubProvider } from '../../src/engine/github-provider/create-github-provider.ts';
import type { Script } from '../../src/engine/runtime-adapter/scripted/create-scripted-adapter.ts';
import type { EmbeddedForge } from '../../src/forge/create-embedded-forge.ts';
import { runGit } from '../../src/git/run-git.ts';
import { appAccessOf, providerOptions } from '../world/forge-access.ts';
import { scriptedRuntime } from '../world/scripted-runtime.ts';
import { commitFiles } from '../world/seed-repository.ts';
import { startForgeProcess } from './forge-process.ts';

/** A repository on an embedded forge in another process, and engines for it. */
export interface SimulatedWorld {
  readonly forge: EmbeddedForge;
  /** The human's checkout; engines keep their files in it. */
  readonly repoRoot: string;
  /** Commits a file to the default branch and pushes it, as the human. */
  commit(file: string, text: string): Promise<void>;
  /** Not started yet. */
  createEngine(script: Script, options: Pick<EngineOptions, 'config' | 'clock' | 'logger' | 'listLagMs'>): Engine;
  close(): Promise<void>;
}

export async function createSimulatedWorld(): Promise<SimulatedWorld> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'decree-simulation-'));
  const repoRoot = path.join(folder, 'checkout');
  const forge = await startForgeProcess(path.join(folder, 'forge'));
  const git = (...args: string[]) => runGit(args, { cwd: repoRoot });
  await mkdir(repoRoot);
  await git('init', '--quiet', '--initial-branch', 'main');

  return {
    forge,
    repoRoot,
    commit: async (file, text) => {
      const isNew =
        (await runGit(['ls-remote', '--exit-code', forge.gitURL], { cwd: repoRoot, exitCodes: [0, 2] })).exitCode === 2;
      if (!isNew) await git('pull', '--quiet', '--rebase', forge.gitURL, 'main');
      await commitFiles(repoRoot, { [file]: text });
      await git('push', '--quiet', forge.gitURL, 'main');
    },
    createEngine: (script, options) =>
      createEngine({
        ...options,
        repoRoot,
        provider: createGitHubProvider({
          ...providerOptions(appAccessOf(forge)),
          ...(options.clock === undefined ? {} : { clock: options.clock }),
        }),
        runtime: scriptedRuntime(repoRoot, script, 1_000_000),
      }),
    close: async () => {
      await forge.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
