export interface Signature {
  readonly name: string;
  readonly email: string;
  /** Epoch ms. */
  readonly at: number;
}

export interface Commit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

export function serializeCommit(commit: Commit): Buffer {
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${signatureText(commit.author)}`,
    `committer ${signatureText(commit.committer)}`,
  ];
  return Buffer.from(`${lines.join('\n')}\n\n${commit.message}`);
}

export function parseCommit(content: Buffer): Commit {
  const text = content.toString('utf8');
  const headEnd = text.indexOf('\n\n');
  const head = text.slice(0, headEnd).split('\n');
  const values = (name: string): string[] =>
    head.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  return {
    tree: values('tree')[0] ?? '',
    parents: values('parent'),
    author: parseSignature(values('author')[0]),
    committer: parseSignature(values('committer')[0]),
    message: text.slice(headEnd + 2),
  };
}

function signatureText({ name, email, at }: Signature): string {
  return `${name} <${email}> ${Math.floor(at / 1000)} +0000`;
}

function parseSignature(line = ''): Signature {
  const [, name = '', email = '', seconds = '0'] = /^(.*?) ?<(.*?)> (\d+)/.exec(line) ?? [];
  return { name, email, at: Number(seconds) * 1000 };
}
