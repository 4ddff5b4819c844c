import type { Script } from '../../src/engine/runtime-adapter/scripted/create-scripted-adapter.ts';
import { planSteps, reviewSteps, writeSteps } from '../world/scripted-steps.ts';

export const ITEMS_A_DAY = 8;

export function specOf(day: number): string {
  return `docs/specs/day-${day}.md`;
}

/**
 * Agents of all kinds: one item of a day fails once, one hangs until the human cancels it, one is sent back by its
 * reviewer, one waits for another, and one cannot be done as it is described; the human closes that one.
 */
export function createSoakScript(): Script {
  const hung = new Set<string>();
  return (params, { workItem, revision, prompt }) => {
    const title = workItem?.title ?? '';
    const number = numberOf(title);
    switch (params.role) {
      case 'planner':
        return planSteps(params.specPaths.flatMap(plan));
      case 'implementor':
        if (number === 7) return [{ do: 'return', output: refinement }];
        if (number === 1 && params.attempt === 1) return [{ do: 'fail', message: 'not my day' }];
        if (isHanging(title) && !hung.has(title)) {
          hung.add(title);
          return [{ do: 'print', text: 'thinking' }, { do: 'hang' }];
        }
        return [
          { do: 'print', text: `${title}\n`.repeat(100) },
          { do: 'spend', usd: 0.01, inputTokens: 1_000, outputTokens: 100 },
          ...writeSteps(fileOf(title), revision === null ? `${title}\n` : `${title}, better\n`),
        ];
      case 'reviewer':
        return reviewSteps(number === 3 && !prompt.includes('better') ? 'needs-changes' : 'approve');
    }
  };
}

export function isHanging(title: string): boolean {
  return numberOf(title) === 2;
}

function numberOf(title: string): number {
  return Number(title.split(' ').at(-1));
}

function fileOf(title: string): string {
  return `items/${title.replaceAll(' ', '-')}.txt`;
}

const refinement = { role: 'implementor', outcome: 'validation-failure', summary: 'What is meant by this?' };

function plan(specPath: string) {
  const day = /\d+/.exec(specPath)?.[0] ?? '';
  return Array.from({ length: ITEMS_A_DAY }, (_, number) => ({
    tempID: `${day}.${number}`,
    title: `day ${day} item ${number}`,
    blockedBy: number === 5 ? [`${day}.4`] : [],
  }));
}
