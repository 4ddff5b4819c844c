/** A regular file, an executable one, or a symbolic link: the only kinds that decree publishes. */
export type FileMode = '100644' | '100755' | '120000';

export interface ParsedPatch {
  /** In the order of the patch. A path may occur twice: a changed type is written as a deletion and a creation. */
  readonly files: readonly FilePatch[];
}

/** What the patch does to one file. Paths are relative to the repository's root and safe to write to. */
export interface FilePatch {
  readonly kind: 'create' | 'delete' | 'modify' | 'rename' | 'copy';
  /** Null for `create`. */
  readonly oldPath: string | null;
  /** Null for `delete`. */
  readonly newPath: string | null;
  /** Null where the patch does not say; then the file keeps the mode it has. */
  readonly oldMode: FileMode | null;
  readonly newMode: FileMode | null;
  /** Blob names as on the `index` line: full, abbreviated, or null if there is no such line. */
  readonly oldSHA: string | null;
  readonly newSHA: string | null;
  /** Null: the content stays as it is. */
  readonly change: TextChange | BinaryChange | null;
}

export interface TextChange {
  readonly kind: 'text';
  readonly hunks: readonly Hunk[];
}

export interface Hunk {
  /** As in `@@ -oldStart,oldCount +newStart,newCount @@`. */
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  /** The lines below the header with their leading character, a view into the patch. Counts have been checked. */
  readonly body: Buffer;
}

export interface BinaryChange {
  readonly kind: 'binary';
  readonly method: 'literal' | 'delta';
  /** Bytes after inflating `deflated`. */
  readonly size: number;
  readonly deflated: Buffer;
}
