/**
 * Why a call to the forge failed.
 * - `unavailable`: no answer, or 5xx. For a write this means: in doubt, it may have been applied.
 * - `away`: the forge has not been answering and nothing was sent; `until` says when it is asked again (epoch ms).
 * - `rate-limited`: `until` says when to go on.
 * - `malformed`: an answer that is not what the forge's API promises.
 */
export type ProviderErrorKind =
  | 'not-found'
  | 'unauthorized'
  | 'forbidden'
  | 'rate-limited'
  | 'conflict'
  | 'rejected'
  | 'unavailable'
  | 'away'
  | 'malformed';

/** Every provider method rejects with this, or with a PatchError, and with nothing else. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: ProviderErrorKind;
  /** Only for `rate-limited` and `away`. */
  readonly until: number | null;

  constructor(kind: ProviderErrorKind, message: string, options: { cause?: unknown; until?: number } = {}) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.until = options.until ?? null;
  }

  /** Whether a write that failed this way may have been applied all the same. */
  get isInDoubt(): boolean {
    return this.kind === 'unavailable' || this.kind === 'malformed';
  }

  /**
   * Whether the same call may succeed later without anybody changing it. Credentials and permissions can be given back,
   * and the work that waits for them is already paid for.
   */
  get mayPass(): boolean {
    return this.isInDoubt || ['rate-limited', 'away', 'unauthorized', 'forbidden'].includes(this.kind);
  }
}

/**
 * Why a patch could not become a commit.
 * - `conflict`: other work touched the same places; `paths` names them.
 * - `mismatch`: the tree that the forge built is not the tree that the agent made.
 * - `refused`: the patch contains something that decree does not publish (submodules, protected paths ...).
 * - `malformed`: it is not a patch.
 */
export type PatchErrorKind = 'conflict' | 'mismatch' | 'refused' | 'malformed';

export class PatchError extends Error {
  override readonly name = 'PatchError';
  readonly kind: PatchErrorKind;
  readonly paths: readonly string[];

  constructor(kind: PatchErrorKind, message: string, options: { paths?: readonly string[]; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.paths = options.paths ?? [];
  }
}
