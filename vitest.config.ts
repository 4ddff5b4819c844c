import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    // Contract suites are run by the test files of each implementation.
    exclude: ['**/node_modules/**', '**/*.contract.test.ts'],
    // Tests often wait for processes: one worker more than cores keeps the cores busy. By default one is left idle.
    maxWorkers: availableParallelism() + 1,
    // Nothing is mocked and no module keeps state, so files can share what is loaded.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: process.env['CI'] ? ['default', ['json', { outputFile: 'coverage/test-report.json' }]] : ['default'],
  },
});
