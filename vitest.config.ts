import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: process.env['CI'] ? ['default', ['json', { outputFile: 'coverage/test-report.json' }]] : ['default'],
  },
});
