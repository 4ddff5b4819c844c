import { type Field, isKnown, isUnknown } from '../field.ts';
import type { RuleName } from '../rules.ts';
import type { Call } from '../walk.ts';
import { matches } from './check-arguments.ts';
import { checkRecursive } from './check-recursive.ts';
import type { Judge, Program } from './program.ts';

/** Git by subcommand: what only looks is allowed, so are staging and committing. */
export const GIT: Program = { special: true, check: checkGit };

function checkGit(call: Call, judge: Judge): void {
  const args = [...call.args];
  for (let first = args[0]; first?.startsWith('-') === true; first = args[0]) {
    args.shift();
    if (first === '-C') judge.path(args.shift() ?? '');
    else if (/^-c|^--(?:config-env|exec-path)/.test(first)) judge.refuse('git-config');
    else if (/^--version$|^-v$/.test(first)) return;
    else if (!/^(?:-P|--no-pager|--no-optional-locks|--literal-pathspecs|--no-replace-objects)$/.test(first)) {
      judge.refuse('dangerous-option');
    }
  }
  const [subcommand, ...rest] = args;
  if (subcommand === undefined) return;
  if (!isKnown(subcommand)) {
    judge.refuse('unknown-value');
    return;
  }
  const program = SUBCOMMANDS.get(subcommand);
  if (program === undefined) {
    const rule = REFUSED.get(subcommand);
    if (rule === undefined) judge.walk.notAllowed(`git ${subcommand}`);
    else judge.refuse(rule);
    return;
  }
  if (program.access === 'write') judge.write();
  program.check?.({ ...call, args: rest }, judge);
  // `HEAD:path` and `:path` name a path in a commit or in the index.
  for (const arg of rest) {
    const path = /^[^-/].*:(.+)$/s.exec(arg)?.[1] ?? /^:(?:\d:)?([^(/!^].*)$/s.exec(arg)?.[1];
    if (path !== undefined && judge.walk.folder.place(judge.walk.folder.root, path) === 'protected') {
      judge.refuse('protected-path');
    }
  }
  if (program.special !== true) judge.arguments(rest, { ...program, refuse: { ...COMMON, ...program.refuse } });
}

const COMMON: Readonly<Record<string, RuleName>> = {
  '--ext-diff': 'dangerous-option',
  '--textconv': 'dangerous-option',
  '--open-files-in-pager': 'dangerous-option',
  '--upload-pack': 'git-remote',
  '--exec': 'dangerous-option',
  '--remote': 'git-remote',
};

const LOG_TEXT = (
  '--max-count --author --committer --grep --since --until --after --before -S -G -L --date --diff-filter ' +
  '--word-diff-regex --skip --encoding --glob --exclude -I'
).split(' ');
const LOG_STUCK = '--format --pretty --unified --stat --word-diff --color --abbrev --decorate'.split(' ');
const look: Program = {
  text: LOG_TEXT,
  stuck: LOG_STUCK,
  refuse: { '--output': 'dangerous-option' },
  // Subcommands differ in what takes a value, so nothing may hide behind an option: `git diff -L --output=/tmp/x`.
  check: (call, judge) => {
    if (call.args.some((arg) => matches(arg, '--output'))) judge.refuse('dangerous-option');
  },
};
const message = ['-m', '--message', '--author', '--date', '--trailer', '-C', '-c', '--fixup', '--cleanup'];

const SUBCOMMANDS: ReadonlyMap<string, Program> = new Map(
  Object.entries<Program>({
    status: look,
    diff: look,
    'diff-tree': look,
    'diff-index': look,
    'diff-files': look,
    log: look,
    show: look,
    shortlog: look,
    whatchanged: look,
    blame: look,
    annotate: look,
    'rev-list': look,
    'rev-parse': { ...look, refuse: { '--parseopt': 'dangerous-option', '--sq-quote': 'dangerous-option' } },
    'merge-base': look,
    'name-rev': look,
    describe: look,
    'ls-files': { text: ['--exclude', '-x', '--format'], refuse: {} },
    'ls-tree': { text: ['--format'] },
    'cat-file': { refuse: { '--filters': 'dangerous-option' } },
    'check-ignore': {},
    'check-attr': { operands: 'text' },
    'count-objects': {},
    'for-each-ref': {
      text: ['--format', '--sort', '--count', '--contains', '--merged', '--points-at'],
      operands: 'text',
      refuse: SHELL_QUOTES(),
    },
    'show-ref': { operands: 'text', refuse: { '--exclude-existing': 'dangerous-option' } },
    version: {},
    grep: {
      operands: 'pattern',
      patternOptions: ['-e', '-f'],
      text: ['-e', '-A', '-B', '-C', '-m', '--max-depth', '--max-count', '--threads'],
      stuck: ['--color'],
      valued: ['-f'],
      flags:
        /^(?:-[aiInlLcwvhHEGFPpWqo0-9]+|--(?:cached|untracked|no-index|name-only|files-with-matches|files-without-match|count|ignore-case|word-regexp|invert-match|line-number|and|or|not|all-match|heading|break|show-function|function-context|full-name|fixed-strings|extended-regexp|perl-regexp|only-matching|quiet))$/,
      refuse: { '-O': 'dangerous-option' },
      check: (call, judge) => {
        if (call.args.some((arg) => /^--(?:no-i|unt)/.test(arg))) checkRecursive(call, judge);
      },
    },
    add: {
      access: 'write',
      refuse: {
        '-e': 'pager-or-editor',
        '--edit': 'pager-or-editor',
        '-i': 'pager-or-editor',
        '-p': 'pager-or-editor',
        '--interactive': 'pager-or-editor',
        '--patch': 'pager-or-editor',
      },
    },
    commit: {
      access: 'write',
      operands: 'paths',
      text: message,
      flags:
        /^-[aqvns]+$|^--(?:all|quiet|verbose|no-verify|signoff|no-edit|amend|allow-empty|allow-empty-message|no-gpg-sign|dry-run|only|include|status|no-status|reset-author)$/,
      refuse: {
        '-p': 'pager-or-editor',
        '--patch': 'pager-or-editor',
        '--interactive': 'pager-or-editor',
        '-e': 'pager-or-editor',
        '--edit': 'pager-or-editor',
        '-S': 'dangerous-option',
        '--gpg-sign': 'dangerous-option',
        '-t': 'dangerous-option',
        '--template': 'dangerous-option',
      },
    },
    rm: { access: 'write', check: refuseWholesale },
    mv: { access: 'write' },
    restore: {
      access: 'write',
      text: ['-s', '--source'],
      check: checkRestore,
      refuse: { '-p': 'pager-or-editor', '--patch': 'pager-or-editor' },
    },
    checkout: { access: 'write', special: true, check: checkCheckout },
    reset: { access: 'write', special: true, check: checkReset },
    apply: {
      access: 'write',
      text: ['-p', '-C', '--exclude', '--include', '--whitespace'],
      refuse: { '--unsafe-paths': 'outside-folder', '--build-fake-ancestor': 'dangerous-option' },
    },
    stash: {
      special: true,
      check: (call, judge) => {
        onlyAs(call.args, /^(?:list|show)$/, 'git-refs', judge);
        judge.arguments(call.args, { ...look, refuse: { ...COMMON, ...look.refuse } });
      },
    },
    worktree: { special: true, check: (call, judge) => onlyAs(call.args, /^list$/, 'git-refs', judge) },
    remote: {
      special: true,
      check: (call, judge) => onlyAs(call.args, /^(?:-v|--verbose|undefined)$/, 'git-remote', judge, 1),
    },
    branch: { special: true, check: (call, judge) => onlyLists(call.args, judge) },
    tag: { special: true, check: (call, judge) => onlyLists(call.args, judge) },
    config: { special: true, check: (call, judge) => onlyAs(call.args, /^(?:--get|get)$/, 'git-config', judge, 2) },
  }),
);

function rules(rule: RuleName, names: string): [string, RuleName][] {
  return names.split(' ').map((name) => [name, rule]);
}

const REFUSED: ReadonlyMap<string, RuleName> = new Map([
  ...rules(
    'git-remote',
    'push fetch pull clone ls-remote submodule archive bundle send-email request-pull svn p4 cvsserver daemon http-fetch http-push fetch-pack send-pack remote-http remote-https remote-ext upload-pack receive-pack upload-archive imap-send instaweb shell',
  ),
  ...rules(
    'git-refs',
    'rebase merge cherry-pick revert am update-ref symbolic-ref switch replace notes reflog filter-branch filter-repo fast-import fast-export pack-refs bisect commit-tree merge-tree read-tree update-index write-tree checkout-index rerere history',
  ),
  ...rules('git-discard', 'clean gc prune repack prune-packed maintenance'),
  ...rules('git-config', 'init credential credential-store credential-cache hook lfs sparse-checkout var'),
  ...rules('pager-or-editor', 'help gui gitk citool mergetool difftool web--browse'),
]);

function SHELL_QUOTES(): Record<string, RuleName> {
  return {
    '--shell': 'dangerous-option',
    '--perl': 'dangerous-option',
    '--python': 'dangerous-option',
    '--tcl': 'dangerous-option',
  };
}

function onlyAs(args: readonly Field[], allowed: RegExp, rule: RuleName, judge: Judge, most = 10): void {
  if (!allowed.test(args[0] ?? 'undefined') || args.length > most || args.some((arg) => !isKnown(arg)))
    judge.refuse(rule);
}

const LISTING =
  /^(?:-[alrv]+|-vv|--(?:list|all|remotes|verbose|show-current|column|no-column|ignore-case|contains|no-contains|merged|no-merged|points-at|sort|format)(?:=.*)?|-n\d*)$/;

/** `git branch` and `git tag` list without operands, or with `--list` and the like; with a name they create. */
function onlyLists(args: readonly Field[], judge: Judge): void {
  const lists = args.some((arg) =>
    /^(?:-l|--(?:list|contains|no-contains|merged|no-merged|points-at)(?:=.*)?)$/.test(arg),
  );
  for (const arg of args) if (arg.startsWith('-') ? !LISTING.test(arg) : !lists) judge.refuse('git-refs');
  if (args.some(isUnknown)) judge.refuse('unknown-value');
}

/** Everything at once: the folder itself, the root of the tree, or a bare glob. */
function isWholesale(arg: Field): boolean {
  return (
    /^(?:\.\/?|:\/.{0,2}|:\(top\).*|[\uE005-\uE007*]+|\.\/[\uE005-\uE007*]+|:\(?[!^].*)$/.test(arg) || isUnknown(arg)
  );
}

/** The same by another name: `src/..`. */
function isRoot(arg: Field, call: Call, judge: Judge): boolean {
  const { folder } = judge.walk;
  return [...call.folders].some((start) => folder.resolve(start, arg) === folder.root);
}

function refuseWholesale(call: Call, judge: Judge): void {
  const pathspecs = call.args.filter((arg) => !arg.startsWith('-'));
  const isListed = call.args.some((arg) => matches(arg, '--pathspec-from-file'));
  if (isListed || pathspecs.some((arg) => isWholesale(arg) || isRoot(arg, call, judge))) judge.refuse('git-discard');
}

function checkRestore(call: Call, judge: Judge): void {
  const staged = call.args.some((arg) => /^--staged$|^-S$/.test(arg));
  const worktree = call.args.some((arg) => /^--worktree$|^-\w*W/.test(arg));
  if (!staged || worktree) refuseWholesale(call, judge);
}

/** Only `git checkout [commit] -- paths`. */
function checkCheckout(call: Call, judge: Judge): void {
  const separator = call.args.indexOf('--');
  const before = call.args.slice(0, Math.max(separator, 0));
  const paths = call.args.slice(separator + 1);
  if (separator === -1) judge.refuse(call.args.some(isWholesale) ? 'git-discard' : 'git-refs');
  else if (before.length > 1 || before.some((arg) => arg.startsWith('-') || !isKnown(arg))) judge.refuse('git-refs');
  else if (paths.length === 0 || paths.some((path) => isWholesale(path) || isRoot(path, call, judge)))
    judge.refuse('git-discard');
  for (const path of paths) judge.path(path);
}

/** Only unstaging: `git reset [-q] [HEAD] [--] [paths]`. */
function checkReset(call: Call, judge: Judge): void {
  const [first, ...rest] = call.args.filter((arg) => arg !== '-q' && arg !== '--quiet');
  if (first === undefined) return;
  if (/^--(?:hard|merge|keep)/.test(first) || rest.some((arg) => /^--(?:h|me|k)/.test(arg)))
    judge.refuse('git-discard');
  else if (first !== 'HEAD' && first !== '--') judge.refuse('git-refs');
  else if (rest.some((arg) => arg.startsWith('-') && arg !== '--')) judge.refuse('git-refs');
  for (const path of rest) if (path !== '--') judge.path(path);
}
