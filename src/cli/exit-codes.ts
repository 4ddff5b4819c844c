/** What the process says to its caller. `decree --help` and docs/operations.md list them. */
export const EXIT = {
  ok: 0,
  /** It was tried and did not work, or something was found to be wrong. */
  failed: 1,
  /** Wrong arguments, no git repository, or a configuration that is missing or wrong. */
  usage: 2,
  /** The command needs a running engine, and none runs in this repository. */
  noEngine: 3,
  /** Stopped at once by a second Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
