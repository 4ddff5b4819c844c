import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import type { AgentRole } from '../../../domain/run.ts';
import type { Clock } from '../../ports.ts';
import { RunError } from '../../ports.ts';
import { runCommand } from '../workspace/run-command.ts';
import { untilAborted } from '../session/until-aborted.ts';
import type { Step } from './scenario.ts';

export interface StepContext {
  readonly role: AgentRole;
  readonly folder: string;
  readonly environment: () => Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
  readonly spend: (usd: number, inputTokens: number, outputTokens: number) => void;
}

/** Does one step. Returns the run's output if the step was its last. Rejects if the step fails or is aborted. */
export async function performStep(step: Step, context: StepContext): Promise<{ output: unknown } | null> {
  switch (step.do) {
    case 'print':
      context.print(step.text);
      return null;
    case 'write':
      await write(pathIn(context, step.path), step.content, step.executable ?? false);
      return null;
    case 'edit':
      await edit(pathIn(context, step.path), step.find, step.replace);
      return null;
    case 'delete':
      await rm(pathIn(context, step.path), { recursive: true });
      return null;
    case 'run':
      await run(step.command, step.mayFail ?? false, context);
      return null;
    case 'wait':
      await wait(step.ms, context);
      return null;
    case 'spend':
      context.spend(step.usd, step.inputTokens ?? 0, step.outputTokens ?? 0);
      return null;
    case 'fail':
      throw new RunError('failed', step.message);
    case 'hang':
      return untilAborted(new Promise<never>(() => undefined), context.signal);
    case 'return':
      return { output: step.output };
  }
}

function pathIn({ folder, role }: StepContext, path: string): string {
  if (role !== 'implementor') throw new Error(`a ${role} must not change files, but its script changes ${path}`);
  const absolute = resolve(folder, path);
  const inside = relative(folder, absolute);
  if (inside === '' || inside.startsWith('..')) throw new Error(`the script leads out of its working folder: ${path}`);
  return absolute;
}

async function write(path: string, content: string, isExecutable: boolean): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  if (isExecutable) await chmod(path, 0o755);
}

async function edit(path: string, find: string, replace: string): Promise<void> {
  const before = await readFile(path, 'utf8');
  const at = before.indexOf(find);
  if (at === -1) throw new Error(`the text to replace is not in ${path}: ${JSON.stringify(find)}`);
  await writeFile(path, before.slice(0, at) + replace + before.slice(at + find.length));
}

async function run(command: string, mayFail: boolean, context: StepContext): Promise<void> {
  const options = { cwd: context.folder, env: context.environment(), signal: context.signal };
  const { exitCode, output } = await runCommand(command, options);
  if (exitCode !== 0 && !mayFail) throw new Error(`"${command}" ended with exit code ${String(exitCode)}: ${output}`);
}

async function wait(ms: number, { clock, signal }: StepContext): Promise<void> {
  let cancel = (): void => undefined;
  const elapsed = new Promise<void>((done) => {
    cancel = clock.after(ms, done);
  });
  try {
    await untilAborted(elapsed, signal);
  } finally {
    cancel();
  }
}
