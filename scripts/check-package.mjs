// Packs decree, installs the tarball in an empty folder and uses it there: the command line, the demo, and the library
// with its types. Needs the npm registry, so it is not part of `npm test`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = process.cwd();
const folder = mkdtempSync(path.join(os.tmpdir(), 'decree-package-'));
const app = path.join(folder, 'app');
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

const CONSUMER = `
import { createEngine, defineConfig, validateBashCommand } from 'decree';
import type { Engine, EngineEvent } from 'decree';

const config = defineConfig({ forge: 'embedded', agents: { dispatch: 'auto' } });
const describe = (engine: Engine, event: EngineEvent): string => \`\${engine.getSnapshot().runs.length} \${event.type}\`;
const { decision } = validateBashCommand('rm -rf /');
if (decision !== 'block' || typeof createEngine !== 'function' || describe.length !== 2) throw new Error('not usable');
console.log('library', config.agents?.dispatch);
`;

function run(what, command, args, cwd = app) {
  console.log(`- ${what}`);
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function expect(condition, what) {
  if (!condition) throw new Error(`check-package: ${what}`);
}

try {
  mkdirSync(app);
  run('build', 'npm', ['run', 'build', '--silent'], root);
  const packed = run('pack', 'npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], root);
  const tarball = path.join(folder, packed.trim().split('\n').at(-1) ?? '');
  const listing = run('list', 'tar', ['-tf', tarball], root);
  expect(!/\.test\.|\/test\/|\/src\//.test(listing), 'the tarball holds sources or tests');

  writeFileSync(path.join(app, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }));
  run('install', 'npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', tarball]);
  expect(run('version', 'npx', ['decree', '--version']).trim() === version, 'npx decree --version is wrong');
  const demo = run('demo', 'npx', ['decree', 'demo', '--headless']);
  expect(demo.includes('Every work item was planned, implemented, reviewed, merged and closed'), 'the demo failed');
  const left = /rm -r (\S+)/.exec(demo)?.[1];
  if (left?.startsWith(os.tmpdir())) rmSync(left, { recursive: true, force: true });

  writeFileSync(path.join(app, 'consumer.ts'), CONSUMER);
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--skipLibCheck'];
  const types = ['--typeRoots', path.join(root, 'node_modules/@types'), '--types', 'node'];
  run('types', path.join(root, 'node_modules/.bin/tsc'), [...options, ...types, 'consumer.ts']);
  expect(run('library', 'node', ['consumer.ts']).trim() === 'library auto', 'the library could not be used');
  console.log('The package works.');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
