import type { Engine } from '../../engine/engine-types.ts';
import type { EngineIdentity } from './describe-status.ts';
import { describeStatus } from './describe-status.ts';
import { performAction } from './perform-action.ts';
import type { Answerer } from './serve-engine.ts';

/** What a running engine says to the commands of its user. */
export function createAnswerer(engine: Engine, identity: EngineIdentity): Answerer {
  return async function* answer(request) {
    switch (request.ask) {
      case 'status':
        yield { answer: 'status', status: describeStatus(engine.getSnapshot(), identity) };
        return;
      case 'act':
        yield await performAction(engine, request.action, request.item);
        return;
      case 'output': {
        const stream = engine.getAgentStream(request.session);
        if (stream === null) {
          const advice = 'Finished runs are in the journal: `decree runs`.';
          yield { answer: 'refused', text: `No agent runs under the session ${request.session}.`, advice };
          return;
        }
        for await (const text of stream) yield { answer: 'output', text };
      }
    }
  };
}
