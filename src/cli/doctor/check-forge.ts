import type { Config } from '../../config/schema.ts';
import type { ForgeInspection } from '../project/inspect-forge.ts';
import { NEEDED_PERMISSIONS } from '../project/inspect-forge.ts';
import type { CheckedRow, Finding } from './check.ts';
import { check, failed, ok, warning } from './check.ts';

/** Credentials, each permission, the repository, its default branch and labels. */
export async function checkForge(forge: ForgeInspection, config: Config): Promise<CheckedRow[]> {
  const credentials = await check(
    'credentials',
    'Check githubAppID and the private key: both are on the settings page of the GitHub App.',
    async () => ok(`signed in as the app '${await forge.signIn()}'`),
  );
  if (credentials.finding.result === 'failed') return [credentials];
  return [
    credentials,
    ...(await checkPermissions(forge)),
    await check('repository', 'Install the app on the repository, and check `repository`.', () =>
      checkBranch(forge, config),
    ),
    await check('labels', 'Give the app write access to issues.', () => checkLabels(forge)),
  ];
}

async function checkPermissions(forge: ForgeInspection): Promise<CheckedRow[]> {
  const fix = 'Check githubAppInstallationID: it is the number at the end of the address of the installation.';
  let granted: Readonly<Record<string, string | undefined>> = {};
  const installation = await check('installation', fix, async () => {
    granted = await forge.permissions();
    return ok('found');
  });
  if (installation.finding.result === 'failed') return [installation];
  const rows = NEEDED_PERMISSIONS.map(([name, level]) => ({
    name: `permission ${name}`,
    finding: judge(name, level, granted[name]),
  }));
  return [installation, ...rows, { name: 'permission workflows', finding: judgeWorkflows(granted['workflows']) }];
}

function judge(name: string, needed: 'read' | 'write', granted: string | undefined): Finding {
  if (granted === needed || granted === 'write' || granted === 'admin') return ok(granted);
  return failed(
    granted ?? 'none',
    `Give the app '${needed}' on ${name.replaceAll('_', ' ')} and accept it on the installation.`,
  );
}

/** Only needed where agents may change workflows. */
function judgeWorkflows(granted: string | undefined): Finding {
  return ok(granted === 'write' ? 'write' : 'none: changes of .github/workflows are refused');
}

async function checkBranch(forge: ForgeInspection, { specPoller }: Config): Promise<Finding> {
  const branch = await forge.defaultBranch();
  if (branch === specPoller.defaultBranch) return ok(`default branch '${branch}'`);
  return warning(
    `its default branch is '${branch}', the configuration says '${specPoller.defaultBranch}'`,
    `Set specPoller.defaultBranch to '${branch}', unless you mean it.`,
  );
}

async function checkLabels(forge: ForgeInspection): Promise<Finding> {
  const missing = await forge.missingLabels();
  if (missing.length === 0) return ok('all there');
  return warning(
    `${missing.length} missing`,
    '`decree init` makes them; otherwise they come into being when first used.',
  );
}
