import { pick, type Random } from './random-repository.ts';

/** Damages a patch in one to three places, the way bad transports, editors and enemies do. */
export function mutatePatch(random: Random, patch: Buffer): Buffer {
  let mutated = patch;
  const count = 1 + random(3);
  for (let index = 0; index < count && mutated.length > 0; index += 1)
    mutated = pick(random, MUTATIONS)(random, mutated);
  return mutated;
}

type Mutation = (random: Random, patch: Buffer) => Buffer;

const MUTATIONS: readonly Mutation[] = [
  function truncate(random, patch) {
    return patch.subarray(0, random(patch.length));
  },
  function changeByte(random, patch) {
    const copy = Buffer.from(patch);
    copy[random(copy.length)] = random(256);
    return copy;
  },
  function cutOut(random, patch) {
    const start = random(patch.length);
    return Buffer.concat([patch.subarray(0, start), patch.subarray(start + 1 + random(40))]);
  },
  function repeatPart(random, patch) {
    const start = random(patch.length);
    const end = start + random(200);
    return Buffer.concat([patch.subarray(0, end), patch.subarray(start)]);
  },
  function changeNumber(random, patch) {
    return Buffer.from(
      patch.toString('latin1').replace(/\d+/g, (digits) => (random(8) === 0 ? String(random(2 ** 31)) : digits)),
      'latin1',
    );
  },
  function dropLine(random, patch) {
    return editLines(patch, (lines) => lines.toSpliced(random(lines.length), 1));
  },
  function repeatLine(random, patch) {
    return editLines(patch, (lines) => lines.toSpliced(random(lines.length), 0, pick(random, lines)));
  },
  function insertWords(random, patch) {
    return editLines(patch, (lines) => lines.toSpliced(random(lines.length), 0, pick(random, WORDS)));
  },
];

const WORDS = [
  'rename to ../../etc/passwd',
  '+++ b/.git/hooks/post-checkout',
  '--- /dev/null',
  'new file mode 100644',
  'deleted file mode 100644',
  'old mode 120000',
  'new mode 160000',
  'GIT binary patch',
  'literal 99999999',
  'delta 3',
  '@@ -1,99999 +1,99999 @@',
  '@@ -0,0 +1 @@',
  '\\ No newline at end of file',
  'diff --git a/x b/x',
  'index 0000000000000000000000000000000000000000..0000000000000000000000000000000000000000',
  'copy from a.txt',
  '',
  '-- ',
];

function editLines(patch: Buffer, edit: (lines: string[]) => string[]): Buffer {
  return Buffer.from(edit(patch.toString('latin1').split('\n')).join('\n'), 'latin1');
}
