export interface AgentEnvironmentOptions {
  /** Who the agent's local commits are by. They never reach the forge: only the patch does. */
  readonly identity?: { readonly name: string; readonly email: string };
  /** The one shell that the Bash validator understands. */
  readonly shell?: string;
  /** Added last, for what an adapter or a test must set: `CLAUDE_CONFIG_DIR`, `TMPDIR`, `ANTHROPIC_BASE_URL` ... */
  readonly extra?: Readonly<Record<string, string>>;
}

/**
 * The whole environment of an agent and of everything that runs on its behalf: an explicit list taken from `source`
 * plus fixed settings. Whatever is not listed here, the forge's key and token above all, is not passed on. Pure.
 */
export function agentEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  options: AgentEnvironmentOptions = {},
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(source)) {
    if (value !== undefined && isPassedOn(name, source)) passed[name] = value;
  }
  const { name, email } = options.identity ?? { name: 'decree agent', email: 'agent@decree.invalid' };
  const shell = options.shell ?? '/bin/bash';
  return {
    ...passed,
    ...CLAUDE_SETTINGS,
    ...GIT_ISOLATION,
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    SHELL: shell,
    CLAUDE_CODE_SHELL: shell,
    ...options.extra,
  };
}

/** Claude's own login among them: for the agent's process, not for what runs on its behalf. */
export const LOGIN_VARIABLES: readonly string[] = (
  'ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_CUSTOM_HEADERS CLAUDE_CODE_OAUTH_TOKEN AWS_ACCESS_KEY_ID ' +
  'AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_BEARER_TOKEN_BEDROCK GOOGLE_APPLICATION_CREDENTIALS'
).split(' ');

export function withoutLogin(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !LOGIN_VARIABLES.includes(name)));
}

function isPassedOn(name: string, source: Readonly<Record<string, string | undefined>>): boolean {
  if (PASSED_ON.has(name) || name.startsWith('LC_')) return true;
  return CLOUD_LOGINS.some((login) => isOn(source[login.switch]) && (name === login.switch || login.names.has(name)));
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

const PASSED_ON: ReadonlySet<string> = new Set(
  (
    'PATH HOME USER LOGNAME LANG LANGUAGE TZ TERM TMPDIR CI NO_COLOR ANTHROPIC_API_KEY ' +
    'ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL ANTHROPIC_CUSTOM_HEADERS CLAUDE_CODE_OAUTH_TOKEN ' +
    'CLAUDE_CONFIG_DIR CLAUDE_CODE_TMPDIR CLAUDE_CODE_MAX_RETRIES CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS ' +
    'IS_SANDBOX HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy ' +
    'NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE'
  ).split(' '),
);

/** Claude's login through a cloud: those credentials are passed on only when the switch says that Claude uses them. */
const CLOUD_LOGINS = [
  {
    switch: 'CLAUDE_CODE_USE_BEDROCK',
    names: new Set(
      (
        'AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_BEARER_TOKEN_BEDROCK AWS_PROFILE ' +
        'AWS_REGION AWS_DEFAULT_REGION ANTHROPIC_BEDROCK_BASE_URL'
      ).split(' '),
    ),
  },
  {
    switch: 'CLAUDE_CODE_USE_VERTEX',
    names: new Set(
      (
        'ANTHROPIC_VERTEX_PROJECT_ID ANTHROPIC_VERTEX_BASE_URL CLOUD_ML_REGION GOOGLE_APPLICATION_CREDENTIALS ' +
        'GOOGLE_CLOUD_PROJECT'
      ).split(' '),
    ),
  },
] as const;

const CLAUDE_SETTINGS = {
  // A mention such as @/path in an issue's text would make the CLI put that file into the prompt, past every hook.
  CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  // Every command starts in the run's folder, which is what the Bash validator assumes.
  CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR: '1',
} as const;

/** Git without the user's configuration, credentials, prompts, editor or pager. */
const GIT_ISOLATION = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '/bin/false',
  GIT_EDITOR: 'true',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
} as const;
