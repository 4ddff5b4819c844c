import { describeEvent } from '../../demo/describe-event.ts';
import type { Engine, EngineEvent } from '../../engine/engine-types.ts';
import type { Context } from '../context.ts';
import { createLogger } from '../create-logger.ts';
import type { RunOptions } from '../create-program.ts';
import type { ExitCode } from '../exit-codes.ts';
import { findProject, placesIn } from '../project/find-project.ts';
import type { Project } from '../project/open-project.ts';
import { withEngine } from '../project/with-engine.ts';
import { plainText } from '../terminal/plain-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { createNoticeTeller } from './create-notice-teller.ts';
import { retryHint } from './retry-hint.ts';
import { untilStopped } from './until-stopped.ts';

/** The engine without a screen, until it is told to stop. */
export async function runHeadless(context: Context, options: RunOptions): Promise<ExitCode> {
  const { terminal, isDebugging } = context;
  const place = await findProject(context.cwd);
  const isOnScreen = options.json === true || isDebugging;
  const target = isOnScreen ? 'stderr' : { file: placesIn(place.repoRoot).log };
  const logger = createLogger(isDebugging ? 'debug' : place.config.logLevel, target);
  const answer: 'assume-planned' | 'plan' = options.assumePlanned === true ? 'assume-planned' : 'plan';
  const onFirstRun = async () => answer;

  return withEngine(context, place, { logger, onFirstRun }, async (engine, project) => {
    const show = options.json === true ? showJSON(terminal) : showLines(terminal, project);
    engine.on((event) => show.event(event, engine));
    show.opening(project);
    const looks = setInterval(() => show.notices(engine.getSnapshot().notices), LOOK_MS);
    return untilStopped(engine, context, async () => {
      const { issueCount } = await terminal.progress('Reading the forge', engine.start());
      show.started(issueCount);
      show.notices(engine.getSnapshot().notices);
    }).finally(() => clearInterval(looks));
  });
}

/** Troubles come and go without events. */
const LOOK_MS = 5_000;

interface Show {
  opening(project: Project): void;
  started(issueCount: number): void;
  event(event: EngineEvent, engine: Pick<Engine, 'getSnapshot'>): void;
  /** All that there are now. */
  notices(notices: readonly string[]): void;
}

function showJSON({ print }: Terminal): Show {
  return {
    opening: () => undefined,
    started: (issueCount) => print(JSON.stringify({ type: 'started', issueCount })),
    event: (event) => print(JSON.stringify(event)),
    notices: () => undefined,
  };
}

function showLines({ print, style }: Terminal, { config, repository }: Project): Show {
  const isManual = config.agents.dispatch === 'manual';
  const hint = (event: EngineEvent, engine: Pick<Engine, 'getSnapshot'>) => {
    if (event.type === 'agentFailed') return retryHint(event, engine.getSnapshot().retries, Date.now());
    return isManual ? hintFor(event) : '';
  };
  const at = () => style('dim', new Date().toTimeString().slice(0, 8));
  return {
    opening: (project) => {
      print(`decree works on ${style('bold', repository)}. Ctrl-C stops it.`);
      for (const warning of project.warnings) print(style('yellow', `warning: ${warning}`));
    },
    started: (issueCount) => {
      print(`${issueCount} work ${issueCount === 1 ? 'item' : 'items'} found.`);
      if (isManual) print('It waits for `decree dispatch <item>` to start an implementor (agents.dispatch is manual).');
    },
    notices: createNoticeTeller((notice) => print(style('yellow', `${at()}  notice: ${plainText(notice)}`))),
    event: (event, engine) => {
      const line = describeEvent(event);
      if (line === null) return;
      print(`${at()}  ${plainText(line)}${hint(event, engine)}`);
    },
  };
}

function hintFor(event: EngineEvent): string {
  if (event.type !== 'issueStatusChanged') return '';
  const { newStatus, issueNumber } = event;
  if (newStatus === 'ready' || newStatus === 'needs-changes') return `  (decree dispatch ${issueNumber})`;
  return newStatus === 'approved' ? `  (decree merge ${issueNumber})` : '';
}
