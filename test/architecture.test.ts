import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/**
 * Who may import whom. A room is a folder under `src` (or `src/engine`); the engine's own files are the room `engine`.
 * A file may always import from its own room. Whatever is not listed is forbidden, and so is a folder that is no room.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  git: ['config'],
  patch: ['domain'],
  config: ['domain'],
  'engine/ports': ['domain'],
  'engine/state-store': ['domain', 'engine/ports'],
  'engine/handlers': ['domain', 'engine/ports', 'engine/state-store'],
  'engine/command-executor': ['domain', 'engine/ports', 'engine/state-store'],
  'engine/event-loop': ['domain', 'engine/ports', 'engine/state-store', 'engine/handlers', 'engine/command-executor'],
  'engine/agent-manager': ['domain', 'engine/ports'],
  'engine/pollers': ['domain', 'config', 'engine/ports', 'engine/state-store'],
  'engine/github-provider': ['domain', 'engine/ports', 'patch'],
  'engine/runtime-adapter': ['domain', 'config', 'engine/ports', 'git', 'patch'],
  engine: [
    'domain',
    'config',
    'engine/ports',
    'engine/state-store',
    'engine/handlers',
    'engine/command-executor',
    'engine/event-loop',
    'engine/agent-manager',
    'engine/pollers',
    'engine/runtime-adapter',
    'journal',
  ],
  journal: ['domain', 'engine/ports'],
  forge: ['domain', 'config', 'git'],
  tui: ['domain', 'engine/ports'],
  demo: [
    'domain',
    'config',
    'git',
    'engine',
    'engine/ports',
    'engine/github-provider',
    'engine/runtime-adapter',
    'forge',
    'journal',
  ],
  cli: [
    'domain',
    'config',
    'git',
    'engine',
    'engine/ports',
    'engine/event-loop',
    'engine/state-store',
    'engine/github-provider',
    'engine/runtime-adapter',
    'forge',
    'journal',
    'demo',
    'tui',
  ],
  index: [
    'domain',
    'config',
    'patch',
    'engine',
    'engine/ports',
    'engine/github-provider',
    'engine/runtime-adapter',
    'forge',
    'journal',
  ],
};

/** Files of the engine's root that every part may import: contracts and what they need, no wiring. */
const PORTS = new Set([
  'src/engine/engine-types.ts',
  'src/engine/ports.ts',
  'src/engine/journal-port.ts',
  'src/engine/query-port.ts',
  'src/engine/settings.ts',
  'src/engine/pause.ts',
  'src/engine/system-clock.ts',
]);

/** Which folder a package belongs to. A package that is not listed may not be imported at all. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  '@octokit/rest': ['src/engine/github-provider/github-client/'],
  '@octokit/auth-app': ['src/engine/github-provider/github-client/'],
  '@octokit/openapi-types': ['src/engine/github-provider/github-client/', 'src/forge/'],
  '@anthropic-ai/claude-agent-sdk': ['src/engine/runtime-adapter/'],
  'gray-matter': ['src/engine/runtime-adapter/'],
  unbash: ['src/engine/runtime-adapter/guards/'],
  yaml: ['src/engine/github-provider/mapping/'],
  zod: [
    'src/config/',
    'src/engine/planner-cache.ts',
    'src/engine/state-store/snapshot-state.ts',
    'src/engine/github-provider/',
    'src/engine/runtime-adapter/',
    'src/forge/',
    'src/demo/',
    'src/cli/',
  ],
  pino: ['src/cli/'],
  ink: ['src/tui/'],
  react: ['src/tui/'],
  zustand: ['src/tui/'],
  'string-width': ['src/tui/'],
  commander: ['src/cli/'],
};

interface Import {
  readonly file: string;
  readonly target: string;
  readonly isTypeOnly: boolean;
}

const sources = filesUnder('src').filter((file) => !/\.test\.tsx?$/.test(file));
const imports = sources.flatMap(importsOf);

test('every file stands in a room of the table', () => {
  expect(sources.filter((file) => !(roomOf(file) in ROOMS))).toEqual([]);
  expect(sources.length).toBeGreaterThan(50);
});

test('rooms import only the rooms that the table allows', () => {
  const local = imports.filter(({ target }) => target.startsWith('src/'));
  expect(local.length).toBeGreaterThan(100);
  const forbidden = local.filter(({ file, target }) => {
    const from = roomOf(file);
    const to = roomOf(target);
    return from !== to && !(ROOMS[from] ?? []).includes(to);
  });
  expect(forbidden.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
});

test('[ENG-02] [GHP-03] [AGM-16] [CLA-43] each package is imported only in its own folder', () => {
  const foreign = imports.filter(({ target }) => !target.startsWith('src/') && !target.startsWith('node:'));
  expect(foreign.filter(({ target }) => target === '@octokit/rest').length).toBeGreaterThan(0);
  const forbidden = foreign.filter(({ file, target }) => {
    const homes = PACKAGES[packageOf(target)] ?? [];
    return !homes.some((home) => file.startsWith(home));
  });
  expect(forbidden.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
});

test('the OpenAPI types of GitHub are imported as types only', () => {
  const openAPI = imports.filter(({ target }) => target === '@octokit/openapi-types');
  expect(openAPI.filter(({ isTypeOnly }) => !isTypeOnly)).toEqual([]);
});

test('only config and cli read the environment', () => {
  const readers = sources.filter((file) => /\bprocess\.env\b/.test(codeOf(file)));
  expect(readers.filter((file) => !/^src\/(config|cli)\//.test(file))).toEqual([]);
});

test('only the command line exits the process', () => {
  const exits = sources.filter((file) => /\bprocess\.exit(Code)?\b/.test(codeOf(file)));
  expect(exits.filter((file) => !file.startsWith('src/cli/'))).toEqual([]);
});

test('no file is longer than 400 lines, and none is named for nothing in particular', () => {
  const long = [...filesUnder('src'), ...filesUnder('test')].filter(
    (file) => file.endsWith('.ts') && readFileSync(file, 'utf8').split('\n').length > 401,
  );
  expect(long).toEqual([]);
  expect(sources.filter((file) => /\b(utils?|helpers?|common|misc)\b/.test(file))).toEqual([]);
});

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.posix.join(entry.parentPath.split(path.sep).join('/'), entry.name))
    .sort();
}

function roomOf(file: string): string {
  if (PORTS.has(file)) return 'engine/ports';
  const [, first = '', second = '', third] = file.split('/');
  if (second === '') return path.basename(first, '.ts');
  return first === 'engine' && third !== undefined ? `engine/${second}` : first;
}

/** A file's text without its template literals, which may hold the text of other programs. */
function codeOf(file: string): string {
  return readFileSync(file, 'utf8').replaceAll(/`(?:\\.|[^`\\])*`/gs, '``');
}

function importsOf(file: string): Import[] {
  const text = codeOf(file);
  const statements = text.matchAll(/^(?:import|export)\s(?<clause>[^;'"]*?)from\s+['"](?<from>[^'"]+)['"]/gm);
  const bare = text.matchAll(/^import\s+['"](?<from>[^'"]+)['"]/gm);
  const lazy = text.matchAll(/\bimport\(\s*['"](?<from>[^'"]+)['"]/g);
  return [...statements, ...bare, ...lazy].map(({ groups }) => {
    const from = groups?.['from'] ?? '';
    const target = from.startsWith('.') ? path.posix.join(path.posix.dirname(file), from) : from;
    return { file, target, isTypeOnly: /^type\s/.test(groups?.['clause'] ?? '') };
  });
}

function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}
