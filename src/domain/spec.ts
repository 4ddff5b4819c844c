/** A file in the specs folder of the default branch. */
export interface Spec {
  /** Relative to the repository's root, e.g. `docs/specs/login.md`. */
  readonly filePath: string;
  readonly blobSHA: string;
  /** `draft` when there is no readable frontmatter. Only `approved` is ever planned. */
  readonly frontmatterStatus: string;
}

/** The specs as they stood at one commit of the default branch. */
export interface SpecTree {
  readonly commitSHA: string;
  readonly specs: readonly Spec[];
}
