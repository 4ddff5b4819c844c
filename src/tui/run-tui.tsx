import { render } from 'ink';
import type { Engine } from '../engine/engine-types.ts';
import { App } from './components/app.tsx';
import { createController } from './create-controller.ts';
import { createQuitting } from './create-quitting.ts';
import type { FirstRunQuestion } from './first-run-question.ts';
import { createFeed } from './live/create-feed.ts';
import type { UIStore } from './ui-store.ts';
import { createUIStore } from './ui-store.ts';
import type { Repository } from './view-model/links.ts';
import { composeScreen } from './view-model/screen.ts';

export interface TUIOptions {
  /** Not started: `runTUI` starts it, after its first picture. */
  readonly engine: Engine;
  readonly repository: Repository;
  /** What a person should know from the start, such as a missing sandbox. */
  readonly warnings?: readonly string[];
  /** Opens a page in the browser. Rejects, with a sentence for the footer, where that cannot be done. */
  readonly openURL: (url: string) => Promise<void>;
  /** Puts text into the clipboard and resolves to what it did ("Copied"). Rejects like `openURL`. */
  readonly copyText: (text: string) => Promise<string>;
  /** The same question whose `ask` the engine got as `onFirstRun`. */
  readonly firstRun?: FirstRunQuestion;
  /** False for NO_COLOR. Default: colours as the terminal has them. */
  readonly isColored?: boolean;
  /** Ends the screen from outside, as if the user had quit: the engine is stopped gracefully. */
  readonly signal?: AbortSignal;
  /** Both must be terminals. */
  readonly stdin?: NodeJS.ReadableStream;
  readonly stdout?: NodeJS.WritableStream & { readonly columns: number; readonly rows: number };
  readonly now?: () => number;
}

/**
 * Shows the engine on the terminal's alternate screen until the user quits, and resolves when the engine is stopped (or
 * the user did not want to wait for that). Rejects if the engine could not start, after the user has seen why, or if the
 * screen itself broke; the engine is stopped in both cases, and the terminal is as it was before.
 */
export async function runTUI(options: TUIOptions): Promise<void> {
  const { engine, repository, warnings = [], openURL, copyText, firstRun, isColored = true } = options;
  const { stdin = process.stdin, stdout = process.stdout, now = Date.now } = options;
  const context = { repository: repository.name, warnings };
  const store = createUIStore({ columns: stdout.columns, rows: stdout.rows });
  const feed = createFeed(engine, now);
  const quitting = createQuitting(engine);
  const controller = createController({
    engine,
    store,
    frame: feed.frame,
    screen: () => composeScreen(store.getState(), feed.frame(), context),
    repository,
    openURL,
    copyText,
    answerFirstRun: (answer) => firstRun?.answer(answer),
    quitting,
  });

  feed.start();
  const ink = render(<App {...{ store, feed, context, isColored, press: controller.press }} />, {
    stdin,
    stdout,
    exitOnCtrlC: false,
    alternateScreen: true,
    interactive: true,
    incrementalRendering: true,
    patchConsole: false,
  });
  const endings = [
    feed.subscribe(controller.settle),
    firstRun?.onAsked((firstRunSpecs) => store.setState({ firstRunSpecs })),
    onAbort(options.signal, controller.quit),
  ];
  const started = startEngine(engine, store);
  try {
    await Promise.race([quitting.ended, ink.waitUntilExit(), failureOf(engine)]);
  } catch (error) {
    // The screen is gone, and nobody can press a key: agents get no time.
    quitting.atOnce();
    await Promise.allSettled([quitting.ended]);
    throw error;
  } finally {
    for (const end of endings) end?.();
    feed.stop();
    ink.unmount();
    await Promise.allSettled([ink.waitUntilExit()]);
  }
  if (store.getState().phase.name === 'failed') await started;
}

/** Shows how it goes. Its promise rejects like `start` does; who leaves before the engine has started need not wait. */
function startEngine(engine: Engine, store: UIStore): Promise<unknown> {
  const started = engine.start();
  const isStarting = () => store.getState().phase.name === 'starting';
  started.then(
    () => isStarting() && store.setState({ phase: { name: 'running' } }),
    (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      if (isStarting()) store.setState({ phase: { name: 'failed', reason }, firstRunSpecs: null, question: null });
    },
  );
  return started;
}

/** Rejects if the engine stops by itself: a screen that goes on showing old data would be a lie. */
async function failureOf(engine: Engine): Promise<never> {
  const failure = await engine.ended;
  if (failure !== null) throw failure;
  return new Promise(() => {});
}

function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal?.aborted === true) listener();
  signal?.addEventListener('abort', listener);
  return () => signal?.removeEventListener('abort', listener);
}
