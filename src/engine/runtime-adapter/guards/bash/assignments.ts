import type { Assignment, Command } from 'unbash';
import { type Binding, expandValue, expandWord } from './expand-word.ts';
import { checkPossiblePath } from './check-path.ts';
import { TILDE } from './field.ts';
import { scopesFor } from './scopes.ts';
import { type State, withVariable } from './state.ts';
import type { Findings, Walk } from './walk.ts';

/** Performs the assignments of a command without a program: `a=1 b=2`. */
export function performAssignments(command: Command, state: State, walk: Walk): State {
  let current = state;
  for (const node of command.prefix) {
    if (node.type === 'Assignment') current = withVariable(current, node.name, valuesOf(node, current, walk));
  }
  return current;
}

/** Every value that an assignment can give to its variable; null if that is not known. */
export function valuesOf(node: Assignment, state: State, walk: Walk): Binding[] | null {
  if (node.index !== undefined || node.append === true) return null;
  const { value } = node;
  const bindings = scopesFor([value], state, walk).map((scope): Binding => {
    if (value.type === 'Word') return { kind: 'scalar', value: expandValue(value, scope) };
    return { kind: 'array', fields: value.elements.flatMap((element) => expandWord(element, scope)) };
  });
  const unique = new Map(bindings.map((binding) => [JSON.stringify(binding), binding]));
  return [...unique.values()];
}

/** Variables that change what the shell or a program does, or that are not what was assigned to them. */
export function checkVariableName(name: string, findings: Findings): void {
  const isDangerous = DANGEROUS.test(name) || ANY_CASE.test(name);
  if (!/^[A-Za-z_]\w*$/.test(name) || isDangerous) findings.refuse('dangerous-assignment');
}

/**
 * The same for a variable that a program gets to see, with the few settings of such variables that honest agents need.
 * A value that leads out of the folder tells a program where to write: `COVERAGE_FILE=/tmp/x`.
 */
export function checkAssignment(name: string, value: string, folders: ReadonlySet<string>, walk: Walk): void {
  if (name === 'NODE_OPTIONS' && HARMLESS_NODE_OPTIONS.test(value)) return;
  checkVariableName(name, walk);
  if (isPath(value, walk.folder.root)) checkPossiblePath(value, folders, walk);
}

/** `/api` is more likely the path of an address: absolute ones count if they begin as paths of a machine do. */
function isPath(value: string, root: string): boolean {
  if (value.startsWith(TILDE) || /^(?:~|\.\.(?:\/|$))/.test(value)) return true;
  const [before, top = ''] = value.split('/');
  return before === '' && value !== '' && (TOP_FOLDERS.has(top) || top === root.split('/')[1]);
}

const TOP_FOLDERS: ReadonlySet<string> = new Set(
  (
    ' bin boot data dev etc home lib lib64 media mnt nix opt private proc root run sbin srv sys tmp usr var workspace ' +
    'Applications Library System Users Volumes'
  ).split(' '),
);

/** Nobody needs to expand a secret that the environment holds; a variable that the script has set is its own. */
export function checkSecret(name: string, state: State, findings: Findings): void {
  if (SECRET.test(name) && !state.variables.has(name)) findings.refuse('print-environment');
}

const SECRET = /(?:_|^)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|AUTH)(?:_|$)|_PROXY$|^ANTHROPIC_/i;

const HARMLESS_NODE_OPTIONS =
  /^(?:\s*--(?:max-old-space-size=\d+|no-warnings|experimental-vm-modules|trace-warnings))*$/;

/** Settings that package managers read however they are spelled. */
const ANY_CASE = /^(?:npm_config_\w+|yarn_\w+|pnpm_\w+|bun_\w+|npm_(?:node_)?execpath)$/i;

const DANGEROUS = new RegExp(
  `^(?:${[
    // The shell itself, and variables of it that do not keep what they are given.
    'PATH|IFS|ENV|CDPATH|GLOBIGNORE|HOME|SHELL|SHELLOPTS|POSIXLY_CORRECT|PS[0-9]|PROMPT_COMMAND|EXECIGNORE|TMPDIR',
    '_|UID|EUID|PPID|GROUPS|S?RANDOM|SECONDS|LINENO|FUNCNAME|DIRSTACK|PWD|OLDPWD|EPOCH\\w*|BASH\\w*|COMP_\\w+|COMPREPLY|OPT(?:ARG|IND|ERR)',
    'HIST\\w*|PIPESTATUS|SHLVL|MAPFILE|COPROC|REPLY|TIMEFORMAT|FIGNORE|INPUTRC|MAIL\\w*|LOCALDOMAIN|RES_OPTIONS',
    // Loaders and interpreters.
    'LD_\\w+|DYLD_\\w+|GCONV_PATH|NLSPATH|MALLOC_\\w+|GLIBC_\\w+',
    'NODE_(?!ENV$|NO_WARNINGS$|DEBUG$|DISABLE_COLORS$)\\w+|PYTHON(?!PATH$|UNBUFFERED$|DONTWRITEBYTECODE$|WARNINGS$)\\w+',
    'PERL\\w*|RUBY(?:OPT|LIB|SHELL)|GEM_\\w+|BUNDLE_\\w+|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|LUA_\\w+',
    // Tools that take programs or options from the environment.
    'GIT_\\w*|SSH_\\w+|COREPACK_\\w+|DENO_\\w+',
    'MAKE(?:FLAGS|FILES|SHELL|OVERRIDES)?|GNUMAKEFLAGS|CARGO\\w*|RUSTC\\w*|RUSTFLAGS|RUSTDOC\\w*|GO(?!OS$|ARCH$|MAXPROCS$)[A-Z]\\w*',
    'PIP_\\w+|UV_\\w+|POETRY_\\w+|PYTEST_(?:ADDOPTS|PLUGINS)|VIRTUAL_ENV|CONDA\\w*|GRADLE_\\w+|MAVEN_\\w+|MVN_\\w+',
    'TAR_OPTIONS|GZIP|GREP_OPTIONS|RIPGREP_CONFIG_PATH|LESS\\w*|AWK(?:LIB)?PATH|JQ_\\w+|ZIPOPT|UNZIP',
    '(?:MAN|GIT_)?PAGER|EDITOR|VISUAL|BROWSER|TERM(?:INFO|CAP)\\w*|SUDO_\\w+|DOCKER_\\w+|KUBECONFIG',
    '\\w*_PROXY|\\w*_proxy|SSL_CERT\\w*|CURL_\\w+|REQUESTS_CA_BUNDLE|ANTHROPIC_\\w+|CLAUDE\\w*|AWS_\\w+|GOOGLE_\\w+|AZURE_\\w+',
    'CC|CXX|LD|AR|AS|CPP|CFLAGS|CXXFLAGS|LDFLAGS|CPPFLAGS|C_INCLUDE_PATH|LIBRARY_PATH|COMPILER_PATH|GCC_\\w+|PKG_CONFIG\\w*',
  ].join('|')})$`,
);
