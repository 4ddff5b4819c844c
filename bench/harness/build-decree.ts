import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

export interface Build extends AsyncDisposable {
  /** Where the compiled files are, in the same folders as the sources. Built at the first call. */
  folder(): Promise<string>;
}

const ROOT = path.resolve(import.meta.dirname, '..', '..');
/** They are measured as processes of their own, which must not be burdened with TypeScript. */
const ENTRIES = ['src/cli/main.ts', 'src/tui/run-tui.tsx', 'bench/memory-process.ts', 'bench/tui-process.ts'];

/** Compiles the sources beside the project's packages, so that whatever stands in `dist` is left alone. */
export function createBuild(): Build {
  let building: Promise<string> | null = null;
  return {
    folder: () => (building ??= build()),
    [Symbol.asyncDispose]: async () => {
      if (building !== null) await rm(await building, { recursive: true, force: true });
    },
  };
}

async function build(): Promise<string> {
  const cache = path.join(ROOT, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(path.join(cache, 'decree-bench-'));
  await copyFile(path.join(ROOT, 'package.json'), path.join(folder, 'package.json'));
  const compilerOptions = { noEmit: false, noCheck: true, rootDir: ROOT, outDir: folder };
  const files = ENTRIES.map((entry) => path.join(ROOT, entry));
  const config = { extends: path.join(ROOT, 'tsconfig.json'), compilerOptions, files, include: [] };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  await promisify(execFile)(path.join(ROOT, 'node_modules', '.bin', 'tsc'), ['-p', folder]);
  return folder;
}
