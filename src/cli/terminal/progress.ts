import type { WriteStream } from 'node:tty';

const QUIET_MS = 1_000;
const FRAME_MS = 120;
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** Nothing for the first second, then one line that says what is going on; it is wiped out at the end. */
export function createProgress(stream: Pick<WriteStream, 'isTTY' | 'write'>) {
  return async <T>(what: string, work: Promise<T>): Promise<T> => {
    if (!stream.isTTY) return work;
    let frame = 0;
    const draw = () => void stream.write(`\r${FRAMES[frame++ % FRAMES.length] ?? ''} ${what} ...\u{1b}[K`);
    let spinner: NodeJS.Timeout | undefined;
    const quiet = setTimeout(() => {
      spinner = setInterval(draw, FRAME_MS);
    }, QUIET_MS);
    try {
      return await work;
    } finally {
      clearTimeout(quiet);
      clearInterval(spinner);
      if (frame > 0) stream.write('\r\u{1b}[K');
    }
  };
}
