import { parse } from 'yaml';
import { z } from 'zod';
import type { Spec } from '../../../domain/spec.ts';
import type { TreeEntryData } from '../github-client/answers.ts';

const DRAFT = 'draft';

/** `folder` is the specs folder, '' for the repository's root; `content` the blob's text. */
export function mapTreeEntryToSpec(entry: TreeEntryData, folder: string, content: string): Spec {
  return {
    filePath: folder === '' ? entry.path : `${folder}/${entry.path}`,
    blobSHA: entry.sha,
    frontmatterStatus: parseFrontmatterStatus(content),
  };
}

const Frontmatter = z.object({ status: z.string().trim().min(1) });

/** The frontmatter's `status`; `draft` without a readable one. Only YAML is read: `---js` is not frontmatter. */
export function parseFrontmatterStatus(content: string): string {
  const block = /^\uFEFF?---[ \t]*\r?\n(.*?)(?<=\n)---[ \t]*(?:\r?\n|$)/s.exec(content)?.[1];
  if (block === undefined) return DRAFT;
  const parsed = Frontmatter.safeParse(readYAML(block));
  return parsed.success ? parsed.data.status : DRAFT;
}

function readYAML(text: string): unknown {
  try {
    return parse(text, { logLevel: 'silent' });
  } catch (error) {
    // Somebody's half-written file is a draft, not a failure.
    if (error instanceof Error) return null;
    throw error;
  }
}
