import type { Script } from '../../src/engine/runtime-adapter/scripted/create-scripted-adapter.ts';
import { planSteps, reviewSteps, writeSteps } from './scripted-steps.ts';

export function titleOf(number: number): string {
  return `item ${number}`;
}

/** Every fifth item waits for the one before it. */
function blockersOf(number: number): number[] {
  return number % 5 === 4 ? [number - 1] : [];
}

/** One in ten is sent back by its reviewer once. */
export function isSentBack(number: number): boolean {
  return number % 10 === 3;
}

export function fileOf(number: number): string {
  return `items/${number}.txt`;
}

/** What an item's file holds when it is merged. */
export function finalTextOf(number: number): string {
  return isSentBack(number) ? `${titleOf(number)}, better\n` : `${titleOf(number)}\n`;
}

/** One plan for all items; each writes a file of its own. */
export function createManyItemsScript(items: number): Script {
  const plan = planSteps(
    Array.from({ length: items }, (_, number) => ({
      tempID: `t${number}`,
      title: titleOf(number),
      blockedBy: blockersOf(number).map((blocker) => `t${blocker}`),
    })),
  );
  return (params, { workItem, revision, prompt }) => {
    const title = workItem?.title ?? '';
    const number = Number(title.split(' ')[1]);
    switch (params.role) {
      case 'planner':
        return plan;
      case 'implementor':
        return writeSteps(fileOf(number), revision === null ? `${title}\n` : `${title}, better\n`);
      case 'reviewer':
        return reviewSteps(isSentBack(number) && !prompt.includes('better') ? 'needs-changes' : 'approve');
    }
  };
}
