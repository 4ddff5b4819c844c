import type { EngineOptions } from '../../engine/create-engine.ts';
import type { Engine } from '../../engine/engine-types.ts';
import type { Logger } from '../../engine/ports.ts';
import type { Context } from '../context.ts';
import { createAnswerer } from '../control/answer-requests.ts';
import type { EngineAnswer } from '../control/protocol.ts';
import type { Answerer } from '../control/serve-engine.ts';
import { serveEngine } from '../control/serve-engine.ts';
import { placesIn } from './find-project.ts';
import type { ProjectPlace } from './find-project.ts';
import { openProject } from './open-project.ts';
import type { Project } from './open-project.ts';

export interface EngineUse extends Pick<EngineOptions, 'onFirstRun'> {
  readonly logger: Logger;
}

/**
 * Makes the engine of a project, reachable for commands, for as long as `use` takes. `use` starts it; afterwards it is
 * stopped if it still runs, and everything is closed. The socket comes first: it also keeps a second engine out.
 */
export async function withEngine<T>(
  { environment, terminal }: Context,
  place: ProjectPlace,
  { logger, onFirstRun }: EngineUse,
  use: (engine: Engine, project: Project) => Promise<T>,
): Promise<T> {
  await using opened = new AsyncDisposableStack();
  let answerer: Answerer = notReady;
  const server = await serveEngine(placesIn(place.repoRoot).socket, (request) => answerer(request));
  opened.defer(() => server.close());

  const opening = openProject(place, { logger, environment });
  const project = await terminal.progress('Opening the project', opening);
  opened.defer(() => project.close());
  const engine = project.createEngine(onFirstRun === undefined ? {} : { onFirstRun });
  opened.defer(() => engine.stop());
  answerer = createAnswerer(engine, { pid: process.pid, repository: project.repository });
  return await use(engine, project);
}

async function* notReady(): AsyncGenerator<EngineAnswer> {
  yield { answer: 'refused', text: 'The engine is still starting.', advice: 'Try again in a moment.' };
}
