import { type Field, INSIDE, isKnown } from '../field.ts';
import type { Call } from '../walk.ts';
import type { Judge, Program } from './program.ts';

/** Interpreters run files of the folder; code on the command line or from standard input is refused. */
export const INTERPRETERS: Readonly<Record<string, Program>> = {
  node: interpreter({
    inline: /^(?:-[a-z]*[ep]|--(?:e|p(?!re)|i(?!mport|cu)).*)/,
    flags:
      /^--(?:test(?:-[\w-]+)?(?:=.*)?|watch|check|no-warnings|enable-source-maps|experimental-[\w-]+|max-old-space-size=\d+|trace-[\w-]+|version|expose-gc|run=.*|env-file(?:-if-exists)?=.*|import=.*|require=.*|loader=.*|disable-warning=.*|conditions=.*|stack-trace-limit=\d+)$|^-[vc]$/,
    valued: /^(?:-r|--require|--import|--loader|--env-file|--test-reporter|--test-name-pattern|--conditions|-C|--run)$/,
    alone: /^(?:--test|--version|-v|--run)/,
  }),
  tsx: interpreter({
    inline: /^(?:-[a-z]*[ep]|--(?:eval|print))/,
    flags: /^(?:--(?:test|no-cache|tsconfig=.*|version|import=.*))$/,
    valued: /^(?:--tsconfig|--import)$/,
    alone: /^--(?:test|version)/,
  }),
  'ts-node': interpreter({
    inline: /^(?:-[a-z]*[epi]|--(?:eval|print|interactive))/,
    flags: /^(?:--(?:esm|transpile-only|version)|-T)$/,
    valued: /^(?:-P|--project)$/,
    alone: /^--version/,
  }),
  deno: { special: true, check: checkDeno },
  python: { special: true, check: checkPython },
  python3: { special: true, check: checkPython },
  ruby: interpreter({
    inline: /^-[a-zA-Z]*[enpxSC]/,
    flags: /^(?:-w|-W\d?|--version|-v|-I.+|-c)$/,
    valued: /^(?:-I|-r)$/,
    alone: /^(?:--version|-v)/,
  }),
  java: { access: 'run', refuse: { '-XX:OnError': 'dangerous-option', '-XX:OnOutOfMemoryError': 'dangerous-option' } },
};

interface Interpreter {
  readonly inline: RegExp;
  readonly flags: RegExp;
  readonly valued: RegExp;
  /** Options with which it needs no script. */
  readonly alone: RegExp;
}

function interpreter(rules: Interpreter): Program {
  return { access: 'run', special: true, check: (call, judge) => checkInterpreter(call.args, rules, judge) };
}

function checkInterpreter(args: readonly Field[], rules: Interpreter, judge: Judge): void {
  let alone = false;
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    alone ||= rules.alone.test(arg);
    if (!arg.startsWith('-') || arg === '-') {
      checkScriptFile(arg, judge);
      judge.arguments(args.slice(index + 1), { access: 'run' });
      return;
    }
    if (rules.inline.test(arg)) judge.refuse('inline-code');
    else if (rules.valued.test(arg)) checkLoaded(args[(index += 1)] ?? '', judge);
    else if (rules.flags.test(arg)) checkLoaded(arg.slice(arg.indexOf('=') + 1), judge);
    else judge.refuse('dangerous-option');
  }
  if (!alone) judge.refuse('inline-code');
}

/** A script must be a file that lies in the folder: no stream, no address. */
function checkScriptFile(file: Field, judge: Judge): void {
  if (/^[a-z][a-z+.-]*:/i.test(file)) judge.refuse('network');
  else if (file === 'inspect') judge.refuse('dangerous-option');
  else if (file === '-' || file.startsWith('/dev/') || !(isKnown(file) || file === INSIDE)) judge.refuse('inline-code');
  judge.path(file);
}

/** What an option loads: a module by name, or a file of the folder. */
function checkLoaded(value: Field, judge: Judge): void {
  if (value.startsWith('-')) return;
  if (/^[a-z][a-z+.-]*:(?!.*\.test)/i.test(value) && !value.startsWith('node:')) judge.refuse('inline-code');
  judge.path(value);
}

const DENO_TASKS = /^(?:run|test|task|fmt|lint|check|bench|doc|info|compile|cache|install)$/;

function checkDeno(call: Call, judge: Judge): void {
  const [task, ...rest] = call.args;
  if (task === '--version') return;
  if (task === undefined || /^(?:eval|repl)$/.test(task)) judge.refuse('inline-code');
  else if (!DENO_TASKS.test(task)) judge.walk.notAllowed(`deno ${isKnown(task) ? task : '...'}`);
  if (!/^(?:test|lint|check|info|doc)$/.test(task ?? '')) judge.write();
  for (const arg of rest) {
    if (/^(?:https?|npm|jsr|data|blob):/.test(arg)) judge.refuse('network');
    if (arg === '-' || /^-[a-zA-Z]*g|^--global$/.test(arg)) judge.refuse('inline-code');
  }
  judge.arguments(rest, {
    refuse: { '--import-map': 'dangerous-option', '--unsafely-ignore-certificate-errors': 'dangerous-option' },
  });
}

/** Modules that test, check or build; `-m http.server` and the like are not among them. */
const PYTHON_CHECKS =
  /^(?:pytest|unittest|doctest|mypy|ruff|flake8|pylint|pyflakes|pycodestyle|coverage|json\.tool|tabnanny|py_compile|compileall)$/;
const PYTHON_TOOLS = /^(?:black|isort|build|venv|tox|nox|autopep8|yapf|sphinx|mkdocs|django)$/;

function checkPython(call: Call, judge: Judge): void {
  const { args } = call;
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const rest = args.slice(index + 1);
    if (arg === '-m') {
      const [module = '', ...moduleArgs] = rest;
      if (module === 'pip' || module === 'coverage') judge.nested([module, ...moduleArgs]);
      else if (!PYTHON_CHECKS.test(module) && !PYTHON_TOOLS.test(module)) judge.refuse('dangerous-option');
      // `json.tool` writes its second file.
      const isWriting = module === 'json.tool' && moduleArgs.filter((given) => !given.startsWith('-')).length > 1;
      if (isWriting || !PYTHON_CHECKS.test(module)) judge.write();
      judge.arguments(moduleArgs, { access: 'run', text: ['-k', '-m'] });
      return;
    }
    if (!arg.startsWith('-') || arg === '-') {
      judge.write();
      checkScriptFile(arg, judge);
      judge.arguments(rest, { access: 'run' });
      return;
    }
    if (/^(?:--version|-V|--help|-h)$/.test(arg)) return;
    // `-X pycache_prefix=/tmp/x` writes there.
    if (/^-[WX]/.test(arg)) judge.mayLead(`${arg}${args[index + 1] ?? ''}`.split('=')[1] ?? '');
    if (/^-[WX]$/.test(arg)) index += 1;
    else if (!/^-[BEIOSsuqbdv]+$|^-[WX]\w+/.test(arg)) judge.refuse('inline-code');
  }
  judge.refuse('inline-code');
}
