#!/usr/bin/env node
// Nothing is imported before Node's version is known: older ones fail on the imports with words that help nobody.
const major = Number(process.versions.node.split('.')[0]);

if (major < 24) {
  console.error(`decree needs Node 24 or newer, and this is ${process.version}: see https://nodejs.org/en/download`);
  process.exitCode = 2;
} else {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  const { runCLI } = await import('./run-cli.ts');
  process.exitCode = await runCLI(process.argv.slice(2));
}
