import { CLIError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { askOnce } from '../control/ask-engine.ts';
import type { Action } from '../control/protocol.ts';
import { findRoot, placesIn } from '../project/find-project.ts';

/** Has the running engine dispatch, review, merge or cancel. */
export async function act({ terminal, cwd }: Context, action: Action, item: number): Promise<void> {
  const { socket } = placesIn(await findRoot(cwd));
  const answer = await terminal.progress(
    `Asking the engine to ${action} #${item}`,
    askOnce(socket, { ask: 'act', action, item }),
  );
  if (answer.answer === 'done') terminal.print(answer.text);
  if (answer.answer === 'refused') throw new CLIError(answer.text, answer.advice);
}
