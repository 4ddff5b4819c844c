import { isKnown } from '../field.ts';
import type { Call } from '../walk.ts';
import type { Judge } from './program.ts';

/** A recursive search comes upon everything below its folders, off limits or not. */
export function checkRecursive(call: Call, judge: Judge): void {
  const operands = call.args.filter((arg) => !arg.startsWith('-') && isKnown(arg));
  for (const folder of call.folders) {
    for (const start of ['.', ...operands]) {
      const isSearched = start !== '.' || operands.length < 2 || operands.includes('.');
      if (isSearched && judge.walk.folder.protectedBelow(judge.walk.folder.resolve(folder, start))) {
        judge.refuse('protected-path');
      }
    }
  }
}
