import type { CreateOptions } from '../../ports.ts';
import { CommentData } from '../github-client/answers.ts';
import { carriesKey, runNote, withMetadataWithinLimit } from '../mapping/body-metadata.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { resourceNumber } from '../resource-number.ts';

/** Remarks in the conversation of an issue or a pull request; GitHub numbers and serves both alike. */
export interface CommentWriter {
  post(id: string, body: string, options?: CreateOptions): Promise<string>;
  find(id: string, key: string): Promise<string | null>;
}

export function createCommentWriter({ client, calls, at, botName }: RepositoryAccess): CommentWriter {
  return {
    async post(id, body, options = {}) {
      const issue_number = resourceNumber(id);
      const text = withMetadataWithinLimit(body, runNote(options.key));
      const comment = await calls.creating(CommentData, () =>
        client.issues.createComment({ ...at, issue_number, body: text }),
      );
      return String(comment.id);
    },

    async find(id, key) {
      const issue_number = resourceNumber(id);
      const bot = await botName();
      const listed = await calls.list(CommentData, (page) =>
        client.issues.listComments({ ...at, ...page, issue_number }),
      );
      const comment = listed.find(({ user, body }) => user?.login === bot && carriesKey(body, key));
      return comment === undefined ? null : String(comment.id);
    },
  };
}
