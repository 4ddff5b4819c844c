import { extractMetadata } from './body-metadata.ts';

/** The ids that an issue's text says it waits for, in order, each once. */
export function parseDependencyMetadata(body: string): string[] {
  const notes = extractMetadata(body).filter((note) => note.includes('decree:blockedBy'));
  const ids = notes.flatMap((note) => [...note.matchAll(/#0*([1-9]\d*)/g)].flatMap(([, id]) => id ?? []));
  return [...new Set(ids)];
}
