export type InitAnswers =
  | { readonly forge: 'embedded'; readonly defaultBranch: string; readonly ciCommand: string | null }
  | {
      readonly forge: 'github';
      readonly defaultBranch: string;
      readonly repository: string;
      readonly appID: number;
      readonly installationID: number;
      readonly privateKeyPath: string;
    };

/** The text of a new `decree.config.ts`: a plain object, so that nothing has to be installed for it. */
export function configText(answers: InitAnswers): string {
  return `// Settings of decree. Every one of them is described in docs/configuration.md of decree; what is not set here has a
// default. With decree installed in this project, \`satisfies import('decree').ConfigInput\` checks the types.
export default {
${forgeSettings(answers)}
  specPoller: { specsDir: 'docs/specs/', defaultBranch: ${quote(answers.defaultBranch)}${pollFast(answers)} },
${otherPollers(answers)}  agents: {
    // 'auto' starts an implementor as soon as an item is ready; 'manual' waits for you (\`decree dispatch <item>\`).
    dispatch: 'manual',
    maxConcurrent: 3,
  },
  // In USD. A run that would not fit into what is left of the day waits.
  budget: { perRunUSD: 5, perDayUSD: 50 },
};
`;
}

function forgeSettings(answers: InitAnswers): string {
  if (answers.forge === 'github') {
    return `  forge: 'github',
  repository: ${quote(answers.repository)},
  // The GitHub App that decree acts as. The key itself stays out of the repository.
  githubAppID: ${answers.appID},
  githubAppInstallationID: ${answers.installationID},
  githubAppPrivateKeyPath: ${quote(answers.privateKeyPath)},`;
  }
  const { ciCommand } = answers;
  const ci =
    ciCommand === null
      ? "  // Run on every push, in a clean checkout.\n  // ci: { command: 'npm ci && npm test' },"
      : `  // Run on every push, in a clean checkout.\n  ci: { command: ${quote(ciCommand)} },`;
  return `  // A small forge of its own, in .decree/forge: nothing leaves this machine but what agents send to their model.
  forge: 'embedded',
${ci}`;
}

/** The embedded forge costs nothing to ask. */
function pollFast({ forge }: InitAnswers): string {
  return forge === 'embedded' ? ', pollInterval: 2' : '';
}

function otherPollers({ forge }: InitAnswers): string {
  return forge === 'embedded' ? '  issuePoller: { pollInterval: 2 },\n  prPoller: { pollInterval: 2 },\n' : '';
}

function quote(text: string): string {
  return `'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll(/[\r\n]+/g, ' ')}'`;
}
