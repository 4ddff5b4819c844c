import type { Random } from './random.ts';

/** Writes a command down in one of the many ways in which bash reads the same arguments, or runs the same command. */
export function rewriteCommand(argv: readonly string[], random: Random): string {
  const wrapped = random.below(3) === 0 ? [...random.pick(WRAPPERS), ...argv] : argv;
  let text = wrapped.map((word) => spell(word, random)).join(random.pick([' ', ' ', '  ', '\t', ' \\\n']));
  for (let nesting = random.below(4); nesting > 0; nesting -= 1) text = random.pick(FRAMES)(text);
  return text;
}

/** Programs that run the command they are given. */
const WRAPPERS: readonly (readonly string[])[] = [
  ['env'],
  ['env', 'A=1', 'B=2'],
  ['env', '-u', 'A'],
  ['command'],
  ['nohup'],
  ['nice'],
  ['nice', '-n', '1'],
  ['timeout', '9'],
  ['timeout', '-k', '1', '9'],
  ['stdbuf', '-oL'],
  ['xargs'],
  ['env', 'nice', 'timeout', '9', 'nohup'],
];

/** Places in a script where a command runs. Each keeps the command as it is. */
const FRAMES: readonly ((command: string) => string)[] = [
  (command) => `true; ${command}`,
  (command) => `true && ${command}`,
  (command) => `false || ${command}`,
  (command) => `${command}; true`,
  (command) => `${command} | cat`,
  (command) => `true | ${command}`,
  (command) => `${command} &\nwait`,
  (command) => `(${command})`,
  (command) => `{ ${command}\n}`,
  (command) => `! ${command}`,
  (command) => `if ${command}\nthen true; fi`,
  (command) => `if true; then ${command}\nfi`,
  (command) => `if false; then true; else ${command}\nfi`,
  (command) => `for i in 1; do ${command}\ndone`,
  (command) => `for ((i = 0; i < 1; i++)); do ${command}\ndone`,
  (command) => `while ${command}\ndo break; done`,
  (command) => `until ! ${command}\ndo break; done`,
  (command) => `case a in a) ${command}\n;; esac`,
  (command) => `f() { ${command}\n}; f`,
  (command) => `function g { ${command}\n}\ng`,
  (command) => `: "$(${command}\n)"`,
  (command) => `: $(true; ${command}\n)`,
  (command) => `: "\${unset:-$(${command}\n)}"`,
  (command) => `x=$(${command}\n)`,
  (command) => `list=($(${command}\n))`,
  (command) => `cat <(${command}\n)`,
  (command) => `[[ -n $(${command}\n) ]]`,
  (command) => `cat <<END\n$(${command}\n)\nEND`,
  (command) => `cat <<< "$(${command}\n)"`,
  (command) => `coproc { ${command}\n}; wait`,
  (command) => `${command} 2>&1`,
  (command) => `# a comment\n${command} # another`,
  (command) => `cd . && ${command}`,
  (command) => `time ${command}`,
];

function spell(word: string, random: Random): string {
  if (word === '') return "''";
  let text = '';
  let rest = word;
  while (rest !== '') {
    const piece = rest.slice(0, 1 + random.below(rest.length));
    text += spellPiece(piece, random);
    rest = rest.slice(piece.length);
  }
  return text;
}

function spellPiece(piece: string, random: Random): string {
  switch (random.below(9)) {
    case 0:
      return `'${piece.replaceAll("'", `'\\''`)}'`;
    case 1:
      return `"${piece.replaceAll(/["\\$`]/g, '\\$&')}"`;
    case 2:
      return Array.from(piece, (character) => (character === '\n' ? "'\n'" : `\\${character}`)).join('');
    case 3:
      return `$'${Array.from(piece, (character) => `\\x${hex(character)}`).join('')}'`;
    case 4:
      return `$'${Array.from(piece, (character) => `\\${codeOf(character).toString(8).padStart(3, '0')}`).join('')}'`;
    case 5:
      return `$'${Array.from(piece, (character) => `\\u${hex(character).padStart(4, '0')}`).join('')}'`;
    case 6:
      return `''${plain(piece)}""`;
    case 7:
      return `$"${piece.replaceAll(/["\\$`]/g, '\\$&')}"`;
    default:
      return plain(piece);
  }
}

/** Bare where that is safe, else quoted. */
function plain(piece: string): string {
  return /^[\w./:@%+,-]+$/.test(piece) ? piece : `'${piece.replaceAll("'", `'\\''`)}'`;
}

function hex(character: string): string {
  return codeOf(character).toString(16).padStart(2, '0');
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
