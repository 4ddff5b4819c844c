import { PatchError } from '../../../domain/provider-error.ts';
import { InstallationData } from '../github-client/answers.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { namePaths } from './name-paths.ts';

const WORKFLOWS = '.github/workflows/';

/** Throws for paths that this installation of decree does not publish changes of. */
export function createRefusal(
  { client, calls, installationID }: RepositoryAccess,
  protectedPaths: readonly string[],
): (paths: readonly string[]) => Promise<void> {
  const isProtected = matchGlobs(protectedPaths);

  const mayChangeWorkflows = async () => {
    const installation = await calls.repeatable(InstallationData, () =>
      client.apps.getInstallation({ installation_id: installationID }),
    );
    return installation.permissions['workflows'] === 'write';
  };

  return async (paths) => {
    const refused = paths.filter(isProtected);
    if (refused.length > 0) {
      const message = `The patch changes paths that agents.protectedPaths protects: ${namePaths(refused)}.`;
      throw new PatchError('refused', message, { paths: refused });
    }
    const workflows = paths.filter((path) => path.startsWith(WORKFLOWS));
    if (workflows.length > 0 && !(await mayChangeWorkflows())) {
      const message = `The patch changes ${namePaths(workflows)}, but the app lacks the permission "workflows: write".`;
      throw new PatchError('refused', `${message} Grant it, or make this change yourself.`, { paths: workflows });
    }
  };
}

/** `*` and `?` stay within a folder, `**` does not; hidden files count. A folder's pattern covers what is in it. */
function matchGlobs(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs.map((glob) => new RegExp(`^${toSource(glob.replace(/^\.?\/|\/$/g, ''))}(?:/.*)?$`, 's'));
  return (path) => patterns.some((pattern) => pattern.test(path));
}

function toSource(glob: string): string {
  return glob.replace(/\*\*\/|\*\*|[*?]|[\\^$.|+()[\]{}]/g, (token) => SOURCES[token] ?? `\\${token}`);
}

const SOURCES: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };
