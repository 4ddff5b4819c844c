import type { CIStatusResult, PRFileEntry, PRReviewsResult } from '../../engine/query-port.ts';

/** What the snapshot does not hold and is read from the forge when somebody looks at an item. */
export interface ItemDetails {
  readonly body: string;
  readonly pull: PullDetails | null;
}

export interface PullDetails {
  readonly files: readonly PRFileEntry[];
  readonly reviews: PRReviewsResult;
  readonly ci: CIStatusResult;
}

export type LoadedDetails =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: ItemDetails }
  | { readonly state: 'failed'; readonly message: string };
