import type { AgentReview, AgentReviewComment, Verdict } from '../../../domain/agent-result.ts';
import type { PullsCreateReviewParams, ReviewCommentParams } from '../github-client/types.ts';
import { runNote, withMetadataWithinLimit } from '../mapping/body-metadata.ts';

export type ReviewDraft = Required<Pick<PullsCreateReviewParams, 'event' | 'body' | 'comments'>>;

export interface ReviewCircumstances {
  /** Nobody may approve or request changes on a pull request of their own. */
  readonly isOwn: boolean;
  /** Path -> lines on which a comment may stand. */
  readonly lines: ReadonlyMap<string, ReadonlySet<number>>;
  readonly key: string | undefined;
}

/**
 * The review as it should look on GitHub, followed by plainer versions in case GitHub refuses it, which it does as a
 * whole: without inline comments, then without a formal verdict. Each says everything: what cannot stand inline
 * stands in the body, and a verdict that cannot be given is stated there.
 */
export function composeReview(review: AgentReview, circumstances: ReviewCircumstances): ReviewDraft[] {
  const { isOwn, lines, key } = circumstances;
  const isInline = ({ path, line, body }: AgentReviewComment) =>
    line !== null && body.trim() !== '' && (lines.get(path)?.has(line) ?? false);

  const draft = (isFormal: boolean, mayBeInline: boolean): ReviewDraft => {
    const inline = mayBeInline ? review.comments.filter(isInline) : [];
    const others = review.comments.filter((comment) => !inline.includes(comment));
    const parts = [isFormal ? '' : STATED[review.verdict], review.summary.trim(), remarkList(others)];
    const text = parts.filter((part) => part !== '').join('\n\n');
    // GitHub wants words with everything but an approval.
    const body = text === '' && review.verdict === 'needs-changes' ? STATED[review.verdict] : text;
    return {
      event: isFormal ? EVENTS[review.verdict] : 'COMMENT',
      body: withMetadataWithinLimit(body, runNote(key)),
      comments: inline.flatMap(toInline),
    };
  };

  const drafts = isOwn
    ? [draft(false, true), draft(false, false)]
    : [draft(true, true), draft(true, false), draft(false, false)];
  return drafts.filter(({ event, comments }, index) => {
    const before = drafts[index - 1];
    return before?.event !== event || before.comments.length !== comments.length;
  });
}

const EVENTS = { approve: 'APPROVE', 'needs-changes': 'REQUEST_CHANGES' } as const satisfies Record<Verdict, string>;

const STATED: Readonly<Record<Verdict, string>> = {
  approve: '**Verdict: approved.**',
  'needs-changes': '**Verdict: changes requested.**',
};

function toInline({ path, line, body }: AgentReviewComment): ReviewCommentParams[] {
  return line === null ? [] : [{ path, line, side: 'RIGHT', body: withMetadataWithinLimit(body, []) }];
}

function remarkList(comments: readonly AgentReviewComment[]): string {
  return comments
    .map(({ path, line, body }) => `**${line === null ? path : `${path}:${line}`}**\n\n${body}`)
    .join('\n\n');
}
