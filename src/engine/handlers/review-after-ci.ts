import type { WorkItem } from '../../domain/work-item.ts';
import { effortOf, linkedRevisionOf, unfinishedRunOf } from '../state-store/engine-state.ts';
import type { Handler, HandlerContext } from './handler.ts';
import { proposeReviewer } from './run-proposals.ts';

/** With `review.trigger: 'ci-success'` a reviewer starts when CI is green, or when it turns out that there is none. */
export const reviewAfterCI: Handler = (context) => {
  if (context.settings.review.trigger !== 'ci-success') return [];
  return context.touched.flatMap((item) => {
    const reviewer = isDue(context, item) ? proposeReviewer(context, item.id) : null;
    return reviewer === null ? [] : [reviewer];
  });
};

function isDue({ state }: HandlerContext, item: WorkItem): boolean {
  const { awaitsCI } = effortOf(state, item.id);
  const revision = linkedRevisionOf(state, item.id);
  if (awaitsCI === null || revision?.headSHA !== awaitsCI.headSHA) return false;
  if (item.status !== 'review' || unfinishedRunOf(state, item.id)) return false;
  if (revision.pipeline?.status === 'success') return true;
  return awaitsCI.isOverdue && revision.pipeline?.checkCount === 0;
}
