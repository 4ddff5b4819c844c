import { z } from 'zod';
import { APIError, notFound, numberParam, parseBody } from './api.ts';
import type { Handler } from './api.ts';
import { repositoryAnswer } from './answers/repository.ts';
import { appAnswer, installationAnswer } from './answers/user.ts';
import { createInstallationToken, permissionsSchema } from './authentication.ts';
import type { Forge, Permissions, Schemas } from './forge.ts';

export const getApp: Handler = (forge) => ({ status: 200, body: appAnswer(forge) });

export const getInstallation: Handler = (forge, request) => {
  if (numberParam(request, 'installation_id') !== forge.identity.installationID) throw notFound();
  return { status: 200, body: installationAnswer(forge) };
};

export const createAccessToken: Handler = (forge, request) => {
  if (numberParam(request, 'installation_id') !== forge.identity.installationID) throw notFound();
  const wish = parseBody(tokenSchema, request.body, 'Installation');
  if (wish.repositories?.some((name) => name !== forge.identity.repo) === true) {
    throw new APIError(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    );
  }
  const permissions = grant(forge, wish.permissions);
  const { token, expiresAt } = createInstallationToken(forge, permissions);
  const body: Schemas['installation-token'] = {
    token,
    expires_at: expiresAt,
    permissions,
    repository_selection: 'selected',
    repositories: [repositoryAnswer(forge)],
  };
  return { status: 201, body };
};

const tokenSchema = z.object({
  repositories: z.array(z.string()).optional(),
  permissions: z.strictObject(permissionsSchema.shape).optional(),
});

function grant(forge: Forge, wish: Permissions | undefined): Permissions {
  if (wish === undefined) return forge.permissions;
  const granted = new Map(Object.entries(forge.permissions));
  for (const [name, level] of Object.entries(wish)) {
    const held = granted.get(name);
    if (held === level || held === 'write') continue;
    throw new APIError(422, 'The permissions requested are not granted to this installation.');
  }
  return wish;
}
