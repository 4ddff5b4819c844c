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

const KEY_FILE = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$|\.(?:pem|key|p12|pfx|jks|keystore|ppk)$/;

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
