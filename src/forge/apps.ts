import { notFound, numberParam } from './api.ts';
import type { Handler } from './api.ts';
import { appAnswer, installationAnswer } from './answers/user.ts';
import { createInstallationToken } from './authentication.ts';
import type { Schemas } from './forge.ts';

export const getApp: Handler = (forge) => ({ status: 200, body: appAnswer(forge) });

export const getInstallation: Handler = (forge, request) => {
  if (numberParam(request, 'installation_id') !== forge.identity.installationID) throw notFound();
  return { status: 200, body: installationAnswer(forge) };
};

export const createAccessToken: Handler = (forge, request) => {
  if (numberParam(request, 'installation_id') !== forge.identity.installationID) throw notFound();
  const { token, expiresAt } = createInstallationToken(forge);
  const body: Schemas['installation-token'] = {
    token,
    expires_at: expiresAt,
    permissions: forge.permissions,
    repository_selection: 'selected',
  };
  return { status: 201, body };
};
