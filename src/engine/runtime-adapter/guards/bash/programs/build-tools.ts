import { checkVariableName } from '../assignments.ts';
import { type Field, isKnown } from '../field.ts';
import type { Call } from '../walk.ts';
import { matches } from './check-arguments.ts';
import type { Judge, Program } from './program.ts';

const check: Program = {
  access: 'check',
  // pytest empties the folder that it is given by this option.
  refuse: { '--basetemp': 'delete-files' },
  text: ['-t', '-k', '-m', '--grep', '-g', '--testNamePattern', '--reporter', '--config-json', '--rule'],
  writes: [
    '--fix',
    '--write',
    '--update',
    '--updateSnapshot',
    '--update-snapshots',
    '--in-place',
    '--init',
    '--output-file',
    '-o',
  ],
};
const run: Program = { access: 'run' };

/** Compilers, test runners, linters and build systems. They run the project's own code and configuration. */
export const BUILD_TOOLS: Readonly<Record<string, Program>> = {
  ...named(check, 'vitest jest mocha ava tap eslint oxlint biome stylelint standard tslint knip madge depcheck'),
  ...named(check, 'pytest mypy ruff flake8 pyright isort black nox rubocop rspec golangci-lint'),
  pylint: { ...check, refuse: { '--init-hook': 'inline-code' } },
  coverage: { ...check, check: checkCoverage },
  tox: { ...check, check: checkTox },
  ...named(
    check,
    'staticcheck shellcheck hadolint markdownlint markdownlint-cli2 yamllint actionlint cspell publint attw',
  ),
  prettier: {
    ...check,
    writes: [...(check.writes ?? []), '-w'],
    refuse: { '--plugin-search-dir': 'dangerous-option' },
  },
  tsc: {
    access: 'check',
    check: (call, judge) =>
      !call.args.some((arg) => /^--(?:noEmit|version|showConfig)$|^-v$/i.test(arg)) && judge.write(),
  },
  ...named({ access: 'run', check: refuseTasks }, 'turbo nx lerna mvn mvnw'),
  ctest: {
    access: 'run',
    refuse: { '--build-and-test': 'dangerous-option', '--test-command': 'dangerous-option', '-S': 'dangerous-option' },
  },
  'vue-tsc': check,
  'svelte-check': check,
  ...named(run, 'vite webpack rollup esbuild swc babel parcel gulp grunt next nuxt astro remix svelte-kit'),
  ...named(run, 'tsup tsdown unbuild rolldown ninja gradle gradlew javac kotlinc'),
  ...named(run, 'playwright cypress storybook sass postcss tailwindcss typedoc'),
  ...named({ access: 'run', check: checkScripts }, 'npm-run-all run-s run-p'),
  rake: {
    access: 'run',
    refuse: { '-e': 'inline-code', '-E': 'inline-code', '-p': 'inline-code', '--execute': 'inline-code' },
  },
  meson: {
    access: 'run',
    refuse: { '--wrapper': 'dangerous-option', '--gdb-path': 'dangerous-option' },
    check: (call, judge) => checkFirst(call, /^(?:setup|compile|test|configure|introspect|--version)$/, judge),
  },
  ...named({ access: 'run', refuse: { '-wrapper': 'dangerous-option' } }, 'gcc g++ cc c++ clang clang++ rustc'),
  ...named({ access: 'write', text: ['-style'] }, 'gofmt rustfmt clang-format goimports'),
  cmake: { access: 'run', refuse: { '-E': 'dangerous-option', '-P': 'dangerous-option' } },
  make: { access: 'run', check: checkMake },
  cargo: { special: true, check: checkCargo },
  go: { special: true, check: checkGo },
  dotnet: {
    access: 'run',
    check: (call, judge) => checkFirst(call, /^(?:build|test|run|restore|format|clean|--version)$/, judge),
  },
};

function named(program: Program, names: string): Record<string, Program> {
  return Object.fromEntries(names.split(' ').map((name) => [name, program]));
}

/** Tasks that run any command, publish or log in. */
function refuseTasks(call: Call, judge: Judge): void {
  const refused =
    /^(?:exec|exec:.*|publish|version|release|release:.*|deploy|login|link|create|import|migrate|-Dexec.*|antrun:.*)$/;
  if (call.args.some((arg) => refused.test(arg))) judge.refuse('dangerous-option');
  // Plugins of Maven by any of their names: `help:system` prints the environment.
  if (call.args.some((arg) => /(?:^|[:-])(?:help|exec|antrun)(?:-[a-z-]+)?:/.test(arg)))
    judge.refuse('dangerous-option');
}

/** Every npm knows a script of this name, which prints the environment. */
function checkScripts(call: Call, judge: Judge): void {
  if (call.args.includes('env')) judge.refuse('print-environment');
}

/** `coverage run -m module` is python. */
function checkCoverage(call: Call, judge: Judge): void {
  const at = call.args.findIndex((arg) => /^-m|^--mo/.test(arg));
  const attached = /^(?:-m|--\w+=)(.+)$/s.exec(call.args[at] ?? '')?.[1];
  if (at === -1) return;
  const module = attached === undefined ? call.args.slice(at + 1) : [attached, ...call.args.slice(at + 1)];
  judge.nested(['python', '-m', ...module]);
}

/** `tox exec -- program`, and settings that hold one. */
function checkTox(call: Call, judge: Judge): void {
  if (call.args.some((arg) => /^(?:exec|e|-x.*|--override.*)$/.test(arg))) judge.refuse('dangerous-option');
}

function checkFirst(call: Call, allowed: RegExp, judge: Judge): void {
  const [first] = call.args;
  if (first !== undefined && !allowed.test(first))
    judge.walk.notAllowed(`${call.name} ${isKnown(first) ? first : '...'}`);
}

/** Variables and `--eval` carry text that make expands and hands to a shell. */
function checkMake(call: Call, judge: Judge): void {
  for (const [index, arg] of call.args.entries()) {
    if (arg.includes('$') || /^--e(?!nv)|^-[a-zA-Z]*E/.test(arg)) judge.refuse('inline-code');
    // Its database holds the environment.
    if (/^-[BbdehikLmnqrRSstvw]*p/.test(arg) || matches(arg, '--print-data-base')) judge.refuse('print-environment');
    if (/^-[a-zA-Z]*f$|^--(?:file|makefile)$/.test(arg) && isStream(call.args[index + 1])) judge.refuse('inline-code');
    if (/^-f-$|^--(?:file|makefile)=-$/.test(arg)) judge.refuse('inline-code');
    const variable = /^([\w.]+)\s*([?+:!]*)=(.*)$/s.exec(arg);
    if (variable === null) continue;
    const [, name = '', operator = '', value = ''] = variable;
    if (operator.includes('!')) judge.refuse('inline-code');
    if (name.startsWith('.')) judge.refuse('dangerous-assignment');
    checkVariableName(name.replaceAll('.', '_'), judge.walk);
    if (/\//.test(value)) judge.path(value);
  }
}

function isStream(file: Field | undefined): boolean {
  return file === undefined || file === '-' || file.startsWith('/dev/') || !isKnown(file);
}

const CARGO_CHECKS = /^(?:test|t|check|c|clippy|tree|metadata|nextest|doc|d|bench|audit|deny|version|--version)$/;
const CARGO_CHANGES =
  /^(?:build|b|run|r|fmt|clean|add|remove|rm|update|fetch|generate-lockfile|vendor|init|new|fix|expand)$/;

function checkCargo(call: Call, judge: Judge): void {
  const args = call.args[0]?.startsWith('+') === true ? call.args.slice(1) : call.args;
  const [subcommand = '--version', ...rest] = args;
  if (subcommand === 'clean' && rest.some((arg) => arg.startsWith('--target'))) judge.refuse('delete-files');
  if (/^(?:publish|login|logout|yank|owner|install|uninstall|package)$/.test(subcommand))
    judge.refuse('publish-or-login');
  else if (CARGO_CHANGES.test(subcommand)) judge.write();
  else if (!CARGO_CHECKS.test(subcommand)) judge.walk.notAllowed(`cargo ${isKnown(subcommand) ? subcommand : '...'}`);
  judge.arguments(rest, {
    access: 'run',
    text: ['-p', '--package', '--features', '-F', '--test', '--bin', '--example', '--profile', '-D', '-W', '-A'],
    refuse: {
      '--config': 'dangerous-option',
      '--git': 'uninstalled-package',
      '--registry': 'uninstalled-package',
      '--index': 'uninstalled-package',
    },
  });
}

const GO_CHECKS = /^(?:test|vet|list|version|doc|env)$/;
const GO_CHANGES = /^(?:build|run|fmt|mod|generate|get|clean|work|fix)$/;

function checkGo(call: Call, judge: Judge): void {
  const [subcommand = 'version', ...rest] = call.args;
  if (GO_CHANGES.test(subcommand)) judge.write();
  else if (!GO_CHECKS.test(subcommand)) judge.walk.notAllowed(`go ${isKnown(subcommand) ? subcommand : '...'}`);
  if (subcommand === 'run' && rest.some((arg) => arg.includes('@'))) judge.refuse('uninstalled-package');
  if (subcommand === 'env' && rest.some((arg) => arg.startsWith('-'))) judge.refuse('dangerous-option');
  judge.arguments(rest, {
    access: 'run',
    text: ['-run', '-bench', '-tags', '-count', '-timeout', '-ldflags', '-gcflags', '-f', '-skip'],
    refuse: {
      '-exec': 'dangerous-option',
      '-toolexec': 'dangerous-option',
      '-vettool': 'dangerous-option',
      '-overlay': 'dangerous-option',
      '-modcache': 'delete-files',
      '-cache': 'delete-files',
      '-modcacherw': 'dangerous-option',
      '-C': 'dangerous-option',
    },
  });
}
