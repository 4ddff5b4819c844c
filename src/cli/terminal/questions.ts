import { createInterface } from 'node:readline/promises';
import { CLIError } from '../cli-error.ts';
import { EXIT } from '../exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** Asking a person, or taking the defaults where nobody is asked. */
export interface Questions {
  readonly explain: (text: string) => void;
  /** `check` returns what is wrong with an answer, or null. */
  readonly ask: (question: string, fallback: string, check?: (answer: string) => string | null) => Promise<string>;
  readonly confirm: (question: string) => Promise<boolean>;
}

/** Ctrl-C or Ctrl-D at a question. */
const LEFT = { exitCode: EXIT.interrupted };

/** Takes every default, and agrees to nothing. */
export const NO_QUESTIONS: Questions = {
  explain: () => undefined,
  ask: async (_, fallback) => fallback,
  confirm: async () => false,
};

export function createQuestions({ note, style }: Terminal): Questions {
  async function askOnce(question: string): Promise<string> {
    const prompt = createInterface({ input: process.stdin, output: process.stderr });
    try {
      const left = new Promise<never>((_, reject) => {
        prompt.once('close', () => reject(new CLIError('You left.', 'Start again when you like.', LEFT)));
      });
      return (await Promise.race([prompt.question(question), left])).trim();
    } finally {
      prompt.close();
    }
  }

  return {
    explain: note,
    ask: async (question, fallback, check = () => null) => {
      for (;;) {
        const given = await askOnce(`${question}${fallback === '' ? '' : style('dim', ` [${fallback}]`)}: `);
        const answer = given === '' ? fallback : given;
        const objection = check(answer);
        if (objection === null) return answer;
        note(objection);
      }
    },
    confirm: async (question) => /^y(es)?$/i.test(await askOnce(`${question} [y/N] `)),
  };
}
