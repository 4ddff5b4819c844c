import type { Script } from '../../src/engine/runtime-adapter/scripted/create-scripted-adapter.ts';

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
export function createStormScript(items: number): Script {
  const create = Array.from({ length: items }, (_, number) => ({
    tempID: `t${number}`,
    title: titleOf(number),
    body: 'Write a file.',
    labels: [],
    blockedBy: blockersOf(number).map((blocker) => `t${blocker}`),
  }));
  return (params, { workItem, revision, prompt }) => {
    const title = workItem?.title ?? '';
    const number = Number(title.split(' ')[1]);
    switch (params.role) {
      case 'planner':
        return [{ do: 'return', output: { role: 'planner', create, close: [], update: [] } }];
      case 'implementor': {
        const content = revision === null ? `${title}\n` : `${title}, better\n`;
        return [
          { do: 'write', path: fileOf(number), content },
          { do: 'return', output: { role: 'implementor', outcome: 'completed', summary: title } },
        ];
      }
      case 'reviewer': {
        const isBad = isSentBack(number) && !prompt.includes('better');
        const review = { verdict: isBad ? 'needs-changes' : 'approve', summary: 'Read.', comments: [] };
        return [{ do: 'return', output: { role: 'reviewer', review } }];
      }
    }
  };
}
