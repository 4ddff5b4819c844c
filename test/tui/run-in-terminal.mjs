// The terminal UI as a process of its own, on a fake engine. Arguments: the compiled run-tui, and how to behave.
import { createSampleDay } from './sample-day.ts';

const [, , compiled, behaviour] = process.argv;
const { runTUI } = await import(compiled);
const engine = createSampleDay();

if (behaviour === 'crash') {
  engine.refresh = () => {
    setImmediate(() => {
      throw new Error('a bug somewhere');
    });
    return Promise.resolve();
  };
}

await runTUI({
  engine,
  repository: { name: 'acme/measure', url: null },
  openURL: async () => {},
  copyText: async () => 'Copied',
  isColored: behaviour !== 'plain',
});
console.log(`left; the engine was stopped ${engine.calls.stop} times`);
