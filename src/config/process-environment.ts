/** The environment of this process. `config` and `cli` alone look at it; everything else gets what it needs from here. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
