import { spawn } from 'node:child_process';

/**
 * Runs a program with some input, without a shell. Resolves to whether it did its work: false if there is no such
 * program or it failed. Never rejects.
 */
export function runProgram(
  command: string,
  args: readonly string[],
  input: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env: environment, stdio: ['pipe', 'ignore', 'ignore'] });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    // A program that ends before it has read everything is judged by its exit code.
    child.stdin.once('error', () => {});
    child.stdin.end(input);
  });
}
