#!/usr/bin/env node
import { Command } from 'commander';
import pino from 'pino';
import { runDemo } from '../demo/run-demo.ts';
import { formatSummary } from './format-summary.ts';

const program = new Command('decree')
  .description('A control plane for spec-driven development with AI agents.')
  .showHelpAfterError('(run `decree --help` for the commands)');

program
  .command('demo')
  .description('run the whole loop on the embedded forge with scripted agents')
  .option('--headless', 'print a progress log')
  .option('--debug', 'log what the engine does to standard error')
  .action(async (options: { debug?: boolean }) => {
    const logger = pino({ level: options.debug ? 'debug' : 'silent' }, pino.destination(2));
    const environment = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
    const result = await runDemo({ print: console.log, logger, environment, paceMs: 400, timeoutMs: 120_000 });
    console.log(formatSummary(result));
    process.exitCode = result.isComplete ? 0 : 1;
  });

await program.parseAsync();
