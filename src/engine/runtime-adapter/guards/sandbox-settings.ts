import { existsSync } from 'node:fs';
import { LOGIN_VARIABLES } from './agent-environment.ts';
import type { SandboxObstacle } from './probe-sandbox.ts';
import type { SandboxRules } from './sandbox-rules.ts';

export type SandboxMode = 'auto' | 'required' | 'off';

export interface SandboxRequest {
  readonly mode: SandboxMode;
  /** What `probeSandbox` said. */
  readonly obstacle: SandboxObstacle | null;
  /** Without them nothing is hidden: enough to learn whether there is a sandbox. */
  readonly rules?: SandboxRules;
}

/** Structurally the SDK's sandbox option, as far as decree uses it. */
export interface SandboxOptions {
  enabled: boolean;
  failIfUnavailable: boolean;
  autoAllowBashIfSandboxed: boolean;
  allowUnsandboxedCommands: boolean;
  /** Beyond these everything can be reached, through a proxy of the SDK's. */
  network: { deniedDomains: string[] };
  credentials: { envVars: { name: string; mode: 'deny' }[] };
  filesystem: { denyRead: string[]; allowRead: string[]; allowWrite: string[]; denyWrite: string[] };
}

export type SandboxDecision =
  | { readonly sandbox: SandboxOptions; readonly warning: null }
  | { readonly sandbox: null; readonly warning: string | null };

/** Whether a run is sandboxed, and how. Throws with `required` where the sandbox cannot be had. */
export function sandboxSettings(request: SandboxRequest): SandboxDecision {
  if (request.mode === 'off') {
    return { sandbox: null, warning: 'The sandbox is off (agents.sandbox): agents can read and write what you can.' };
  }
  if (request.obstacle !== null) {
    const { reason, fix } = request.obstacle;
    if (request.mode === 'required') {
      throw new Error(
        `Cannot sandbox agents as agents.sandbox: 'required' demands: ${reason}. ${fix} Or set agents.sandbox to 'auto'.`,
      );
    }
    return { sandbox: null, warning: `Agents run without a sandbox: ${reason}.` };
  }
  const { denyRead = [], allowRead = [], allowWrite = [], denyWrite = [] } = request.rules ?? {};
  return {
    sandbox: {
      enabled: true,
      failIfUnavailable: true,
      autoAllowBashIfSandboxed: true,
      allowUnsandboxedCommands: false,
      // What listens on this machine, the embedded forge above all, is none of an agent's business.
      network: { deniedDomains: ['localhost', '127.0.0.1', '::1', '0.0.0.0'] },
      credentials: { envVars: LOGIN_VARIABLES.map((name) => ({ name, mode: 'deny' as const })) },
      filesystem: {
        denyRead: [...denyRead],
        allowRead: [...allowRead],
        allowWrite: [...allowWrite],
        // The SDK shows a device where there is nothing to protect, and git stumbles over it.
        denyWrite: denyWrite.filter((path) => existsSync(path)),
      },
    },
    warning: null,
  };
}
