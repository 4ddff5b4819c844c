import type { Field } from './field.ts';
import type { Walk } from './walk.ts';

/** Refuses a path unless it leads, from every folder that the command may run in, to an open place in the folder. */
export function checkPath(field: Field, folders: ReadonlySet<string>, walk: Pick<Walk, 'folder' | 'refuse'>): void {
  for (const folder of folders) {
    switch (walk.folder.place(folder, field)) {
      case 'inside':
        break;
      case 'outside':
        walk.refuse('outside-folder');
        break;
      case 'protected':
        walk.refuse('protected-path');
        break;
      case 'unknown':
        walk.refuse('unknown-value');
    }
  }
}

/** The same for text that a program may or may not take for a path. */
export function checkPossiblePath(
  field: Field,
  folders: ReadonlySet<string>,
  walk: Pick<Walk, 'folder' | 'refuse'>,
): void {
  for (const folder of folders) {
    const place = walk.folder.place(folder, field);
    if (place === 'outside') walk.refuse('outside-folder');
    if (place === 'protected') walk.refuse('protected-path');
  }
}

/** The same for a path that is not opened: it is enough that it does not lead out for certain. */
export function checkProbe(field: Field, folders: ReadonlySet<string>, walk: Pick<Walk, 'folder' | 'refuse'>): void {
  const leadsOut = [...folders].some((folder) => walk.folder.place(folder, field) === 'outside');
  if (leadsOut) walk.refuse('outside-folder');
}
