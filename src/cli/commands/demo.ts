import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runDemo } from '../../demo/run-demo.ts';
import type { DemoResult } from '../../demo/run-demo.ts';
import type { Context } from '../context.ts';
import { createLogger } from '../create-logger.ts';
import { EXIT } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { formatSummary } from '../terminal/format-summary.ts';
import { loadTUI } from '../terminal/show-tui.ts';

/** A beat of an agent's work: readable in the terminal UI, quick in a log. */
const PACE_MS = { screen: 2_200, log: 150 } as const;
const TIMEOUT_MS = 180_000;

/** The whole loop on a sample repository, which is left for a look. */
export async function demo(context: Context, { headless = false }: { readonly headless?: boolean }): Promise<ExitCode> {
  const { terminal, environment, isDebugging } = context;
  const hasScreen = terminal.isScreen && terminal.canAsk && !headless;
  const tui = hasScreen ? await loadTUI(context) : null;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'decree-demo-'));
  const isLogOnScreen = isDebugging && !hasScreen;
  const logger = createLogger('debug', isLogOnScreen ? 'stderr' : { file: path.join(folder, 'decree.log') });
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    if (!hasScreen)
      terminal.print('decree demo: an approved spec becomes merged pull requests, with scripted agents.\n');
    const result = await runDemo({
      folder,
      logger,
      environment: { PATH: environment['PATH'] ?? '', HOME: folder },
      paceMs: hasScreen ? PACE_MS.screen : PACE_MS.log,
      timeoutMs: TIMEOUT_MS,
      signal: stop.signal,
      print: hasScreen ? () => undefined : printSinceBegin(terminal),
      ...(tui !== null && {
        show: (engine, name) => tui.show(engine, { repository: { name, url: null }, warnings: DEMO_WARNINGS }),
      }),
    });
    terminal.print(formatSummary(result, terminal.style));
    return exitCodeOf(result, hasScreen);
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

const DEMO_WARNINGS = ['This is the demo: the agents follow a script, and it merges by itself. Quit with q.'];

/** Whoever quits the screen early has seen enough: that is no failure. */
function exitCodeOf({ isComplete }: DemoResult, hasScreen: boolean): ExitCode {
  return isComplete || hasScreen ? EXIT.ok : EXIT.failed;
}

function printSinceBegin({ print, style }: Context['terminal']): (line: string) => void {
  const begun = Date.now();
  return (line) => {
    const seconds = ((Date.now() - begun) / 1000).toFixed(1).padStart(5);
    print(`${style('dim', `${seconds} s`)}  ${line.trim()}`);
  };
}
