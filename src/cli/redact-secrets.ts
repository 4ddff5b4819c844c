/** Takes keys and tokens out of a text: what is logged or printed may be passed on by people. */
export function redactSecrets(text: string): string {
  return SECRETS.reduce((redacted, [pattern, replacement]) => redacted.replaceAll(pattern, replacement), text);
}

const HIDDEN = '[redacted]';

const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gs, HIDDEN],
  [/\b(?:gh[a-z]_|github_pat_|sk-ant-|xox[a-z]-)[\w-]{10,}/g, HIDDEN],
  [/\b(?:npm_[A-Za-z0-9]{30,}|(?:AKIA|ASIA)[A-Z0-9]{16})\b/g, HIDDEN],
  // A signed token of the app.
  [/\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]+/g, HIDDEN],
  [/\b(?<scheme>basic|bearer|token) [\w.~+/=-]{8,}/gi, `$<scheme> ${HIDDEN}`],
  // Variables such as ANTHROPIC_API_KEY, and parameters of addresses.
  [
    /(?<name>\b(?:[A-Z_]*(?:KEY|TOKEN|SECRET|PASSWORD)|access_token|client_secret|password)\\?"?[=:] ?\\?"?)[^\s"\\,;&]{6,}/g,
    `$<name>${HIDDEN}`,
  ],
  // The password of a URL, or a token in its place.
  [/(?<start>[a-z][a-z+.-]*:\/\/)[\w.~-]{16,}@/gi, `$<start>${HIDDEN}@`],
  [/(?<start>[a-z][a-z+.-]*:\/\/[^\s/:@"]*):[^\s/@"]+@/gi, `$<start>:${HIDDEN}@`],
];
