/**
 * The environment of the engine's own git: of the process's variables only what finding git and reaching the network
 * takes; no home folder, configuration, SSH agent, credential helper or question on the terminal.
 */
export function gitEnvironment(parent: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const environment: Record<string, string> = { ...FIXED };
  for (const name of INHERITED) {
    const value = parent[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}

/**
 * Lets one git call act with a credential. It travels in that process's environment only: never in the arguments,
 * which other users can list, and never on disk. It is sent to the URL's own host and to no other.
 */
export function credentialEnvironment(access: { url: string; authorization: string }): Record<string, string> {
  if (access.authorization === '') return {};
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${new URL(access.url).origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: ${access.authorization}`,
  };
}

const FIXED = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  GIT_EDITOR: 'false',
  GIT_PAGER: 'cat',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  LC_ALL: 'C',
} as const;

const INHERITED = [
  'PATH',
  'TMPDIR',
  'http_proxy',
  'https_proxy',
  'HTTPS_PROXY',
  'all_proxy',
  'ALL_PROXY',
  'no_proxy',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSL_CAINFO',
  'CURL_CA_BUNDLE',
] as const;
