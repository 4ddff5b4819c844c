/** Takes keys and tokens out of a text: what is logged or printed may be passed on by people. */
export function redactSecrets(text: string): string {
  return SECRETS.reduce((redacted, [pattern, replacement]) => redacted.replaceAll(pattern, replacement), text);
}

const HIDDEN = '[redacted]';

const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gs, HIDDEN],
  [/\b(?:gh[a-z]_|github_pat_|sk-ant-)[\w-]{10,}/g, HIDDEN],
  // A signed token of the app.
  [/\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]+/g, HIDDEN],
  [/\b(?<scheme>basic|bearer|token) [\w.~+/=-]{8,}/gi, `$<scheme> ${HIDDEN}`],
  // The password of a URL.
  [/(?<start>[a-z][a-z+.-]*:\/\/[^\s/:@"]*):[^\s/@"]+@/gi, `$<start>:${HIDDEN}@`],
];
