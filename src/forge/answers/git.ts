import type { Commit, Signature } from '../commit-format.ts';
import { timestamp } from '../forge.ts';
import type { Forge, Schemas } from '../forge.ts';
import { BOT, HUMAN } from '../identity.ts';
import { gitIdentity, nodeID, userAnswer } from './user.ts';

export function gitCommitAnswer(forge: Forge, sha: string, commit: Commit): Schemas['git-commit'] {
  return {
    sha,
    node_id: nodeID('C', sha),
    url: `${forge.api}/git/commits/${sha}`,
    html_url: `${forge.html}/commit/${sha}`,
    author: signatureAnswer(commit.author),
    committer: signatureAnswer(commit.committer),
    message: commit.message,
    tree: { sha: commit.tree, url: `${forge.api}/git/trees/${commit.tree}` },
    parents: commit.parents.map((parent) => ({
      sha: parent,
      url: `${forge.api}/git/commits/${parent}`,
      html_url: `${forge.html}/commit/${parent}`,
    })),
    verification: UNSIGNED,
  };
}

export function commitAnswer(forge: Forge, sha: string, commit: Commit): Schemas['commit'] {
  const { author, committer, message, tree } = gitCommitAnswer(forge, sha, commit);
  const url = `${forge.api}/commits/${sha}`;
  return {
    sha,
    node_id: nodeID('C', sha),
    url,
    html_url: `${forge.html}/commit/${sha}`,
    comments_url: `${url}/comments`,
    commit: {
      url: `${forge.api}/git/commits/${sha}`,
      author,
      committer,
      message,
      comment_count: 0,
      tree,
      verification: UNSIGNED,
    },
    author: accountOf(forge, commit.author),
    committer: accountOf(forge, commit.committer),
    parents: commit.parents.map((parent) => ({
      sha: parent,
      url: `${forge.api}/commits/${parent}`,
      html_url: `${forge.html}/commit/${parent}`,
    })),
  };
}

export function refAnswer(forge: Forge, ref: string, object: { type: string; sha: string }): Schemas['git-ref'] {
  return {
    ref,
    node_id: nodeID('REF', ref),
    url: `${forge.api}/git/${ref}`,
    object: { type: object.type, sha: object.sha, url: `${forge.api}/git/${object.type}s/${object.sha}` },
  };
}

const UNSIGNED = { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null } as const;

const signatureAnswer = ({ name, email, at }: Signature) => ({ name, email, date: timestamp(at) });

function accountOf(forge: Forge, signature: Signature): Schemas['nullable-simple-user'] {
  const login = [HUMAN, BOT].find((candidate) => gitIdentity(candidate).email === signature.email);
  return login === undefined ? null : userAnswer(forge, login);
}
