import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Field, isKnown } from '../field.ts';
import type { RuleName } from '../rules.ts';
import type { Call } from '../walk.ts';
import type { Judge, Program } from './program.ts';

/** Package managers: installing by name, building, testing and running the project's scripts. */
export const PACKAGE_PROGRAMS: Readonly<Record<string, Program>> = {
  npm: { special: true, check: (call, judge) => checkManager(call, judge, NPM) },
  pnpm: { special: true, check: (call, judge) => checkManager(call, judge, PNPM) },
  yarn: { special: true, check: (call, judge) => checkManager(call, judge, YARN) },
  bun: { special: true, check: (call, judge) => checkManager(call, judge, BUN) },
  npx: { special: true, check: (call, judge) => checkExecute(call.args, call, judge) },
  pip: { special: true, check: (call, judge) => checkManager(call, judge, PIP) },
  pip3: { special: true, check: (call, judge) => checkManager(call, judge, PIP) },
  poetry: { special: true, check: (call, judge) => checkManager(call, judge, POETRY) },
  uv: { special: true, check: (call, judge) => checkManager(call, judge, UV) },
  bundle: { special: true, check: (call, judge) => checkManager(call, judge, BUNDLE) },
};

interface Manager {
  /** Subcommands that only look. */
  readonly looks: string;
  /** That install, build or change the project. */
  readonly changes: string;
  /** That run a script of the project by name. */
  readonly runs: string;
  /** That run an installed program. */
  readonly executes: string;
  /** Refused, with the rule they break. */
  readonly refused: readonly (readonly [RuleName, string])[];
  /** Any other word is the name of a script or an installed program. */
  readonly scriptsByName?: boolean;
  /** Without a subcommand it installs. */
  readonly installsAlone?: boolean;
}

const JS_REFUSED: Manager['refused'] = [
  [
    'publish-or-login',
    'publish unpublish login logout adduser add-user token owner access dist-tag deprecate team org profile hook star stage trust',
  ],
  ['publish-or-login', 'config set get c plugin self-update upgrade-interactive'],
  ['uninstalled-package', 'dlx create link ln global x:'],
];

const NPM: Manager = {
  looks: 'ls list ll outdated view info show why explain query ping root prefix bin fund search',
  changes:
    'install i ci add install-test it clean-install update up upgrade uninstall remove rm un r prune dedupe ddp rebuild version init audit pack',
  runs: 'test t tst run run-script start stop restart',
  executes: 'exec x',
  refused: JS_REFUSED,
};
const PNPM: Manager = {
  looks: 'ls list ll outdated why audit licenses root bin',
  changes: 'install i add update up remove rm uninstall un prune dedupe rebuild import fetch install-test it init',
  runs: 'test t run start',
  executes: 'exec',
  refused: [
    ...JS_REFUSED,
    ['publish-or-login', 'env setup server store deploy patch patch-commit approve-builds'],
    ['dangerous-option', 'recursive multi m'],
  ],
  scriptsByName: true,
};
const YARN: Manager = {
  looks: 'list info why outdated audit versions licenses',
  changes: 'install add remove upgrade up dedupe rebuild import check init autoclean pack',
  runs: 'test run start build workspaces',
  executes: 'exec',
  refused: [...JS_REFUSED, ['publish-or-login', 'npm tag policies version cache unlink workspace constraints stage']],
  scriptsByName: true,
  installsAlone: true,
};
const BUN: Manager = {
  looks: 'pm outdated why audit',
  changes: 'install i add remove rm update build ci init',
  runs: 'test run',
  executes: '',
  refused: [...JS_REFUSED, ['uninstalled-package', 'x c'], ['publish-or-login', 'upgrade patch repl exec']],
};
const PIP: Manager = {
  looks: 'list show freeze check inspect help',
  changes: 'install uninstall',
  runs: '',
  executes: '',
  refused: [['publish-or-login', 'config cache download wheel debug index search']],
};
const POETRY: Manager = {
  looks: 'show check about env version',
  changes: 'install add remove update lock build sync',
  runs: '',
  executes: 'run',
  refused: [
    ['publish-or-login', 'publish config self source cache'],
    ['shell', 'shell'],
  ],
};
const UV: Manager = {
  looks: 'tree version export',
  changes: 'sync add remove lock venv build init',
  runs: '',
  executes: 'run',
  refused: [
    ['publish-or-login', 'publish auth self cache python'],
    ['uninstalled-package', 'tool'],
  ],
};
const BUNDLE: Manager = {
  looks: 'list show outdated check info',
  changes: 'install add remove update lock',
  runs: '',
  executes: 'exec',
  refused: [['publish-or-login', 'config plugin open console gem init']],
  installsAlone: true,
};

/** Options before the subcommand that we know; any other could take the subcommand as its value. */
const LEADING =
  /^(?:-s|-q|-v|--(?:silent|quiet|verbose|version|if-present|workspaces|recursive|no-audit|no-fund|frozen-lockfile|offline|ignore-scripts|immutable|no-progress|prefer-offline)|-r|-ws|--\w[\w-]*=[^\uE000-\uE00F]*)$/;
const LEADING_WITH_PATH = /^(?:--prefix|-C|--cwd|--dir)$/;
const LEADING_WITH_NAME = /^(?:-w|--workspace|-F|--filter|--loglevel)$/;

const REFUSED_OPTIONS: Readonly<Record<string, RuleName>> = Object.fromEntries(
  (
    '--global -g --location -L --registry --script-shell --shell --node-options --userconfig --git ' +
    '--globalconfig --editor --viewer --init-module --call --yes -y --package --use-yarnrc --index-url ' +
    '--extra-index-url --trusted-host --proxy --https-proxy --python --find-links --cafile --index ' +
    '--searchurl --default-index --with --otp --browser --config-settings --global-option --user-config'
  )
    .split(' ')
    .map((option) => [option, 'dangerous-option']),
);

function checkManager(call: Call, judge: Judge, manager: Manager): void {
  const { subcommand, rest } = takeSubcommand(call.args, judge);
  // Bun runs code that it is given by option or by standard input, whatever else it is told.
  if (manager === BUN && call.args.some((arg) => /^(?:-|-[a-z]*[ep]|--(?:eval|print).*)$/.test(arg)))
    judge.refuse('inline-code');
  if (subcommand === undefined) {
    if (manager.installsAlone === true) judge.write();
    return;
  }
  const is = (list: string): boolean => list.split(' ').includes(subcommand);
  const refused = manager.refused.find(([, list]) => is(list));
  if (refused !== undefined) judge.refuse(refused[0]);
  else if (is(manager.looks)) checkRest(rest, judge);
  else if (is(manager.changes)) checkChange(subcommand, rest, judge);
  else if (is(manager.executes)) checkExecute(rest, call, judge);
  else if (is(manager.runs)) checkScript(subcommand, rest, judge);
  else if (manager.scriptsByName === true && isKnown(subcommand)) checkByName(subcommand, rest, judge);
  else judge.walk.notAllowed(`${call.name} ${isKnown(subcommand) ? subcommand : '...'}`);
}

function takeSubcommand(
  args: readonly Field[],
  judge: Judge,
): { subcommand: Field | undefined; rest: readonly Field[] } {
  let index = 0;
  for (; index < args.length && (args[index] ?? '').startsWith('-'); index += 1) {
    const arg = args[index] ?? '';
    if (LEADING_WITH_PATH.test(arg)) judge.path(args[(index += 1)] ?? '');
    else if (LEADING_WITH_NAME.test(arg)) index += 1;
    else if (LEADING.test(arg)) judge.arguments([arg], { refuse: REFUSED_OPTIONS });
    else judge.refuse('dangerous-option');
  }
  return { subcommand: args[index], rest: args.slice(index + 1) };
}

function checkRest(args: readonly Field[], judge: Judge): void {
  judge.arguments(args, {
    access: 'run',
    refuse: REFUSED_OPTIONS,
    text: ['-t', '-k', '--grep', '-g', '--testNamePattern', '--testPathPattern'],
  });
}

function checkChange(subcommand: string, args: readonly Field[], judge: Judge): void {
  judge.write();
  const operands = args.filter((arg) => !arg.startsWith('-'));
  // `npm init x` and `npm version x` run a package's code and tag the repository.
  if (/^(?:init|version)$/.test(subcommand) && operands.length > 0) judge.refuse('uninstalled-package');
  if (operands.some(isForeignPackage) || args.some((arg) => arg.includes('://'))) judge.refuse('uninstalled-package');
  judge.arguments(
    args.filter((arg) => !(subcommand === 'init' && arg === '-y') && !(subcommand === 'uninstall' && arg === '-y')),
    { refuse: REFUSED_OPTIONS },
  );
}

/** Not a name in the registry: an address, a git host, an alias, or a path that is judged as one. */
function isForeignPackage(spec: Field): boolean {
  return /:\/\/|^[a-z+]+:|^git@|@(?:npm|git|https?|file|link|github)[:+]|.@[^@/]*\/|^[^@./~][^/@]*\/[^/]+$| @ /.test(
    spec,
  );
}

/** Read-only roles run only what tests and checks. */
function checkScript(subcommand: string, args: readonly Field[], judge: Judge): void {
  const script = /^(?:run|run-script|workspaces)$/.test(subcommand)
    ? args.find((arg) => !arg.startsWith('-'))
    : subcommand;
  // Every npm knows a script of this name, which prints the environment.
  if (script === 'env' || (script !== subcommand && args.includes('env'))) judge.refuse('print-environment');
  if (subcommand === 'workspaces' && args.some((arg) => NOT_A_SCRIPT.test(arg))) judge.refuse('dangerous-option');
  if (
    script !== undefined &&
    !/^(?:t|tst|(?:test|lint|check|typecheck|type-check|types|tsc)(?:[:_-][\w:-]*)?)$/.test(script)
  )
    judge.write();
  checkRest(args, judge);
}

/** What `yarn workspaces foreach` runs besides scripts. */
const NOT_A_SCRIPT = /^(?:exec|dlx|node|npm|config|set|plugin|link)$/;

/** `yarn build`, `yarn tsc`: a script, or the program of an installed package. */
function checkByName(name: string, args: readonly Field[], judge: Judge): void {
  if (judge.knows(name)) judge.nested([name, ...args]);
  else checkScript(name, args, judge);
}

/** `npx tsc`, `npm exec -- tsc`, `uv run pytest`: what is installed, or a well-known tool that npx finds installed. */
function checkExecute(args: readonly Field[], call: Call, judge: Judge): void {
  const rest = [...args];
  for (let first = rest[0]; first?.startsWith('-') === true; first = rest[0]) {
    rest.shift();
    if (first === '--') break;
    if (/^-(?:y|c|p)|^--(?:yes|call|package|shell)/.test(first)) judge.refuse('uninstalled-package');
    else if (!/^(?:--no|--no-install|--no-sync|--frozen|--locked|--offline|--quiet|-q|--silent)$/.test(first))
      judge.refuse('dangerous-option');
  }
  const [name] = rest;
  if (name === undefined) return;
  if (!isKnown(name) || !/^[\w][\w.-]*$/.test(name)) judge.refuse('uninstalled-package');
  else if (judge.knows(name)) judge.nested(rest);
  else if (isInstalled(name, call, judge)) judge.arguments(rest.slice(1), { access: 'run' });
  else judge.refuse('uninstalled-package');
}

function isInstalled(name: string, call: Call, judge: Judge): boolean {
  const { root } = judge.walk.folder;
  return [...call.folders].every((start) => {
    for (let folder = start; folder.startsWith(root); folder = dirname(folder)) {
      if (existsSync(join(folder, 'node_modules', '.bin', name))) return true;
      if (folder === root) break;
    }
    return false;
  });
}
