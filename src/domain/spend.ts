/** What may be spent, in USD. */
export interface Budget {
  /** Reserved for each run before it is dispatched, and given to it as its limit. */
  readonly perRunUSD: number;
  readonly perDayUSD: number;
}

/** Days are UTC days, like `2026-01-31`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** When the day after `at` begins. */
export function nextDayAt(at: number): number {
  return Date.parse(`${dayOf(at)}T00:00:00Z`) + 24 * 60 * 60 * 1000;
}
