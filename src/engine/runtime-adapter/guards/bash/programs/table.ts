import { BUILD_TOOLS } from './build-tools.ts';
import { FILE_PROGRAMS } from './file-programs.ts';
import { FORBIDDEN_PROGRAMS } from './forbidden.ts';
import { GIT } from './git.ts';
import { INTERPRETERS } from './interpreters.ts';
import { PACKAGE_PROGRAMS } from './packages.ts';
import type { Program } from './program.ts';
import { SEARCH_PROGRAMS } from './search-programs.ts';
import { TEXT_PROGRAMS } from './text-programs.ts';
import { WRAPPERS } from './wrappers.ts';

/** The allowlist. */
export const PROGRAMS: ReadonlyMap<string, Program> = new Map(
  Object.entries({
    ...TEXT_PROGRAMS,
    ...FILE_PROGRAMS,
    ...SEARCH_PROGRAMS,
    ...WRAPPERS,
    ...INTERPRETERS,
    ...BUILD_TOOLS,
    ...PACKAGE_PROGRAMS,
    git: GIT,
  }),
);

/** A file of the run's folder that is started by its path. */
export const FOLDER_PROGRAM: Program = { access: 'run' };

export function isKnownProgram(name: string): boolean {
  return PROGRAMS.has(name) || FORBIDDEN_PROGRAMS.has(name);
}
