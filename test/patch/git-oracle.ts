import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Snapshot } from './random-repository.ts';

/** `<mode> <sha>` by path. */
export type Listing = Readonly<Record<string, string>>;

/** A bare repository in which real git makes and applies patches. */
export interface GitOracle {
  /** Stores snapshots; returns a tree for each. */
  store(...snapshots: readonly Snapshot[]): string[];
  diff(args: readonly string[], before: string, after: string): Buffer;
  list(tree: string): Listing;
  /** Applies a patch with `git apply --cached`; null if git refuses. */
  apply(tree: string, patch: Buffer, args?: readonly string[]): Listing | null;
  run(args: readonly string[], input?: Buffer): Buffer;
  dispose(): void;
}

export function createGitOracle(): GitOracle {
  const folder = mkdtempSync(join(tmpdir(), 'decree-oracle-'));
  const env = {
    PATH: process.env['PATH'] ?? '',
    GIT_DIR: join(folder, 'git'),
    GIT_INDEX_FILE: join(folder, 'index'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_COMMITTER_NAME: 'oracle',
    GIT_COMMITTER_EMAIL: 'oracle@localhost',
    GIT_AUTHOR_NAME: 'oracle',
    GIT_AUTHOR_EMAIL: 'oracle@localhost',
  };
  const spawn = (args: readonly string[], input?: Buffer) =>
    spawnSync('git', args, { cwd: folder, env, input: input ?? '', maxBuffer: 2 ** 30 });
  const run = (args: readonly string[], input?: Buffer): Buffer => {
    const { status, stdout, stderr } = spawn(args, input);
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.toString()}`);
    return stdout;
  };
  const list = (tree: string): Listing => parseListing(run(['ls-tree', '-r', '-z', tree]), /^(\d+) \w+ (\w+)\t(.*)$/s);
  run(['init', '--quiet', '--bare', env.GIT_DIR]);
  return {
    run,
    list,
    store: (...snapshots) => {
      run(
        ['fast-import', '--quiet', '--force'],
        Buffer.concat(snapshots.map((snapshot, index) => toFastImport(snapshot, `refs/heads/s${index}`, null))),
      );
      return snapshots.map((_, index) =>
        run(['rev-parse', `refs/heads/s${index}^{tree}`])
          .toString()
          .trim(),
      );
    },
    diff: (args, before, after) => run(['diff', ...args, before, after]),
    apply: (tree, patch, args = []) => {
      run(['read-tree', tree]);
      if (spawn(['apply', '--cached', '--whitespace=nowarn', ...args], patch).status !== 0) return null;
      return parseListing(run(['ls-files', '-s', '-z']), /^(\d+) (\w+) 0\t(.*)$/s);
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A commit for `git fast-import`. */
export function toFastImport(snapshot: Snapshot, ref: string, parent: string | null): Buffer {
  const from = parent === null ? '' : `from ${parent}\n`;
  const head = `commit ${ref}\ncommitter oracle <oracle@localhost> 0 +0000\ndata 0\n${from}deleteall\n`;
  const files = [...snapshot].flatMap(([path, { mode, content }]) => [
    Buffer.from(`M ${mode} inline ${quote(path)}\ndata ${content.length}\n`),
    content,
    Buffer.from('\n'),
  ]);
  return Buffer.concat([Buffer.from(head), ...files, Buffer.from('\n')]);
}

function quote(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}

function parseListing(output: Buffer, pattern: RegExp): Listing {
  const listing: Record<string, string> = {};
  for (const line of output.toString().split('\0')) {
    const [, mode, sha, path] = pattern.exec(line) ?? [];
    if (path !== undefined) listing[path] = `${mode} ${sha}`;
  }
  return listing;
}
