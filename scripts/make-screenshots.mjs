// Draws docs/images/*.svg from the real terminal UI: it runs on a terminal emulator, and the emulator's cells become
// the picture. Needs a build: `npm run build && node scripts/make-screenshots.mjs`.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// Read by the colour library when it is loaded.
process.env.FORCE_COLOR = '1';
process.env.NODE_ENV = 'production';
const { runTUI } = await import('../dist/tui/run-tui.js');
const { createTerminal, createTerminalInput, createTerminalOutput, visibleText } =
  await import('../test/tui/emulator.ts');
const { createSampleDay } = await import('../test/tui/sample-day.ts');
const { NOW } = await import('../test/tui/sample-snapshot.ts');
const { drawTerminal } = await import('./draw-terminal.mjs');

const DOWN = '\u001b[B';

const PICTURES = [
  { name: 'list-80x24', columns: 80, rows: 24, keys: [], until: 'Publish the command' },
  { name: 'list-160x50', columns: 160, rows: 50, keys: Array(6).fill(DOWN), until: 'All 14 tests pass' },
  { name: 'pull-request-160x50', columns: 160, rows: 50, keys: [], until: 'Rounds half away from zero' },
  { name: 'output-80x24', columns: 80, rows: 24, keys: [...Array(6).fill(DOWN), '\r'], until: 'All 14 tests pass' },
  { name: 'failure-80x24', columns: 80, rows: 24, keys: [DOWN, '\r'], until: 'one per line' },
  { name: 'help-80x24', columns: 80, rows: 24, keys: ['?'], until: 'Act on an item' },
];

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'images');
await mkdir(folder, { recursive: true });
for (const { name, ...scene } of PICTURES) {
  await writeFile(path.join(folder, `${name}.svg`), await photograph(scene));
  console.log(`docs/images/${name}.svg`);
}

async function photograph({ columns, rows, keys, until }) {
  const terminal = createTerminal(columns, rows);
  const input = createTerminalInput();
  const engine = createSampleDay();
  const ended = runTUI({
    engine,
    repository: { name: 'acme/measure', url: 'https://github.com/acme/measure' },
    openURL: async () => {},
    copyText: async () => 'Copied',
    now: () => NOW,
    stdin: input,
    stdout: createTerminalOutput(terminal),
  });
  await shown(terminal, 'Needs you');
  engine.emit({ type: 'agentStarted', agentType: 'reviewer', issueNumber: 7, sessionID: 'session-7' });
  for (const key of keys) input.push(key);
  await shown(terminal, until);
  await shown(terminal, keys.includes('?') ? 'Esc back' : 'reviewer started');
  await shown(terminal, 'reading it', false);
  const picture = drawTerminal(terminal);
  for (const key of ['\u0003', '\u0003']) input.push(key);
  await ended;
  return picture;
}

async function shown(terminal, text, isWanted = true) {
  const deadline = Date.now() + 5000;
  while (visibleText(terminal).includes(text) !== isWanted) {
    if (Date.now() > deadline) throw new Error(`Waited in vain for "${text}":\n${visibleText(terminal)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
