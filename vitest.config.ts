import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    // Contract suites are run by the test files of each implementation.
    exclude: ['**/node_modules/**', '**/*.contract.test.ts'],
    // By default one core is left idle.
    maxWorkers: availableParallelism(),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: process.env['CI'] ? ['default', ['json', { outputFile: 'coverage/test-report.json' }]] : ['default'],
  },
});
