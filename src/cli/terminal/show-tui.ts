import type { EngineOptions } from '../../engine/create-engine.ts';
import type { Engine } from '../../engine/engine-types.ts';
import { CLIError } from '../cli-error.ts';
import type { Context } from '../context.ts';

export interface TUISubject {
  /** `url` is its page; null where the forge has no pages. */
  readonly repository: { readonly name: string; readonly url: string | null };
  readonly warnings: readonly string[];
}

export interface TUI {
  /** For the engine that is going to be shown. */
  readonly onFirstRun: NonNullable<EngineOptions['onFirstRun']>;
  /** Hands the terminal over until the user quits. Starts the engine, and has it stopped at the end. */
  show(engine: Engine, subject: TUISubject): Promise<void>;
}

/** Loads the terminal UI: ink and React take longer to load than most commands take to run. */
export async function loadTUI({ environment }: Context): Promise<TUI> {
  // React's development build does more checks than a terminal needs.
  process.env['NODE_ENV'] ??= 'production';
  const [{ runTUI }, { createFirstRunQuestion }, { createCopier }, { createURLOpener }] = await Promise.all([
    import('../../tui/run-tui.tsx').catch(explainSources),
    import('../../tui/first-run-question.ts'),
    import('../../tui/desktop/create-copier.ts'),
    import('../../tui/desktop/create-url-opener.ts'),
  ]);
  const firstRun = createFirstRunQuestion();
  return {
    onFirstRun: (specPaths) => firstRun.ask(specPaths),
    show: async (engine, subject) => {
      const stop = new AbortController();
      const onSignal = () => stop.abort();
      for (const signal of SIGNALS) process.on(signal, onSignal);
      try {
        await runTUI({
          ...subject,
          engine,
          firstRun,
          openURL: createURLOpener(environment),
          copyText: createCopier(environment, process.stdout),
          isColored: (environment['NO_COLOR'] ?? '') === '',
          signal: stop.signal,
        });
      } finally {
        for (const signal of SIGNALS) process.off(signal, onSignal);
      }
    },
  };
}

/** Node runs TypeScript as it is, but not JSX. */
function explainSources(cause: unknown): never {
  if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_UNKNOWN_FILE_EXTENSION')) throw cause;
  const advice = 'Run `npm run build` and then `node dist/cli/main.js`, or use --headless.';
  throw new CLIError('The terminal UI does not run from the sources.', advice, { cause });
}

/** Ctrl-C is a key to the terminal UI, not a signal. */
const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;
