/**
 * Names that agents may neither read nor write, wherever in the run's folder they are: git's own data, decree's data,
 * private keys, and files that hold credentials.
 */
export function isProtectedPath(segments: readonly string[]): boolean {
  return segments.some((segment) => isProtectedName(segment.toLowerCase()));
}

function isProtectedName(name: string): boolean {
  if (PROTECTED_NAMES.has(name)) return true;
  if (name === '.env' || (name.startsWith('.env.') && !ENV_TEMPLATES.has(name))) return true;
  return KEY_FILE.test(name);
}

const PROTECTED_NAMES: ReadonlySet<string> = new Set(
  (
    '.git .decree .ssh .gnupg .aws .azure .kube .docker .gcloud .netrc _netrc .pgpass .git-credentials ' +
    '.pypirc .vault-token .envrc .credentials.json application_default_credentials.json'
  ).split(' '),
);

const ENV_TEMPLATES: ReadonlySet<string> = new Set(['.env.example', '.env.sample', '.env.template', '.env.dist']);

const KEY_EXTENSIONS = 'pem key p12 pfx jks keystore ppk'.split(' ');
const KEY_FILE = new RegExp(`^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$|\\.(?:${KEY_EXTENSIONS.join('|')})$`);

/** The same for ripgrep, which minds case: what a search leaves out. Templates of `.env` files are among it. */
export const PROTECTED_GLOBS: readonly string[] = [
  ...PROTECTED_NAMES,
  '.env',
  '.env.*',
  ...'id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk'.split(' '),
  ...KEY_EXTENSIONS.map((extension) => `*.${extension}`),
].map((name) => `!${name.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)}`);

/** What the sandbox must make unreadable, as plain paths: it knows no patterns on every system. */
export function unreadablePaths(root: string, home: string | undefined): string[] {
  const inFolder = ['.decree', '.env', '.env.local', '.env.production', '.env.development'];
  const inHome = ['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.config/gcloud', '.config/gh', '.netrc'];
  const tokens = ['.git-credentials', '.npmrc', '.pypirc', '.pgpass', '.vault-token'];
  return [
    ...inFolder.map((name) => `${root}/${name}`),
    ...(home === undefined ? [] : [...inHome, ...tokens].map((name) => `${home}/${name}`)),
  ];
}
