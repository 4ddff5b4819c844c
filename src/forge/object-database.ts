import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { spawnGit } from '../git/run-git.ts';

interface ObjectInfo {
  readonly sha: string;
  readonly type: string;
  readonly size: number;
}

export interface GitObject extends ObjectInfo {
  readonly content: Buffer;
}

/**
 * Reads through one long-lived `git cat-file` and writes loose objects, so that most requests start no process.
 * A revision is anything git can resolve: a full ref name, a SHA, `<commit>:<path>`. Refs are read anew each time.
 */
export interface ObjectDatabase {
  info(revision: string): Promise<ObjectInfo | null>;
  read(revision: string): Promise<GitObject | null>;
  /** Returns the SHA. Writing what is there already changes nothing. */
  write(type: 'blob' | 'tree' | 'commit', content: Buffer): Promise<string>;
  close(): Promise<void>;
}

interface Question {
  readonly wantsContent: boolean;
  resolve(object: GitObject | null): void;
  reject(error: Error): void;
}

export function createObjectDatabase(path: string): ObjectDatabase {
  let reader: ReturnType<typeof startReader> | null = null;
  const ask = (command: 'info' | 'contents', revision: string): Promise<GitObject | null> => {
    // Git would take what follows a line break as another command, and dies of relative paths.
    if (/[\n\0]|:\.\.?(\/|$)/.test(revision)) return Promise.resolve(null);
    if (reader === null || reader.hasEnded()) reader = startReader(path);
    return reader.ask(`${command} ${revision}\n`, command === 'contents');
  };
  return {
    info: (revision) => ask('info', revision),
    read: (revision) => ask('contents', revision),
    write: (type, content) => writeLooseObject(path, type, content),
    close: async () => reader?.close(),
  };
}

function startReader(path: string) {
  const child = spawnGit(['cat-file', '--batch-command'], { cwd: path });
  const questions: Question[] = [];
  const answers = createAnswerParser(questions);
  let ended = false;
  const closed = new Promise<void>((resolve) => {
    const end = (cause?: Error): void => {
      ended = true;
      const error = new Error(`git cat-file ended while it was reading ${path}; the next request starts it again`, {
        cause,
      });
      for (const question of questions.splice(0)) question.reject(error);
      resolve();
    };
    child.once('error', end);
    child.once('close', () => end());
  });
  child.stdin.on('error', () => undefined);
  child.stderr.resume();
  child.stdout.on('data', (chunk: Buffer) => answers.add(chunk));
  return {
    hasEnded: () => ended,
    ask: (line: string, wantsContent: boolean) =>
      new Promise<GitObject | null>((resolve, reject) => {
        questions.push({ wantsContent, resolve, reject });
        child.stdin.write(line);
      }),
    close: () => {
      child.stdin.end();
      return closed;
    },
  };
}

/** Answers come in the order of the questions: `<sha> <type> <size>` and the content, or `<revision> missing`. */
function createAnswerParser(questions: Question[]): { add(chunk: Buffer): void } {
  let chunks: Buffer[] = [];
  let length = 0;
  let needed = 0;
  const takeOne = (buffer: Buffer): number => {
    const question = questions[0];
    const lineEnd = buffer.indexOf('\n');
    if (question === undefined || lineEnd < 0) return 0;
    const header = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(buffer.toString('utf8', 0, lineEnd));
    const [, sha, type, size] = header ?? [];
    if (sha === undefined || type === undefined) {
      questions.shift()?.resolve(null);
      return lineEnd + 1;
    }
    const start = lineEnd + 1;
    const end = question.wantsContent ? start + Number(size) : start;
    needed = question.wantsContent ? end + 1 : end;
    if (buffer.length < needed) return 0;
    questions.shift()?.resolve({ sha, type, size: Number(size), content: Buffer.from(buffer.subarray(start, end)) });
    const taken = needed;
    needed = 0;
    return taken;
  };
  return {
    add: (chunk) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length < needed) return;
      let rest = Buffer.concat(chunks);
      for (let taken = takeOne(rest); taken > 0; taken = takeOne(rest)) rest = rest.subarray(taken);
      chunks = [rest];
      length = rest.length;
    },
  };
}

async function writeLooseObject(path: string, type: string, content: Buffer): Promise<string> {
  const object = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  const sha = createHash('sha1').update(object).digest('hex');
  const file = join(path, 'objects', sha.slice(0, 2), sha.slice(2));
  await mkdir(dirname(file), { recursive: true });
  const unfinished = `${file}.${crypto.randomUUID()}`;
  await writeFile(unfinished, await promisify(deflate)(object, { level: 1 }), { mode: 0o444 });
  await rename(unfinished, file);
  return sha;
}
