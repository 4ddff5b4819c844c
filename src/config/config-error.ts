/** The configuration cannot be used. The message names the field and what was expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
