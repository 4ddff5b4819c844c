const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Two units at most: 42s, 2m10s, 1h05m, 3d. */
export function formatDuration(ms: number): string {
  const time = Math.max(ms, 0);
  if (time < MINUTE) return `${Math.floor(time / SECOND)}s`;
  if (time < HOUR) return `${Math.floor(time / MINUTE)}m${twoDigits(Math.floor((time % MINUTE) / SECOND))}s`;
  if (time < DAY) return `${Math.floor(time / HOUR)}h${twoDigits(Math.floor((time % HOUR) / MINUTE))}m`;
  return `${Math.floor(time / DAY)}d`;
}

/** One unit, for ages that need no precision: 42s, 2m, 5h, 3d. */
export function formatAge(ms: number): string {
  return /^\d+[smhd]/.exec(formatDuration(ms))?.[0] ?? '';
}

export function formatUSD(amount: number): string {
  return `$${amount.toFixed(2)}`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** "1 agent", "3 agents". */
export function formatNumberOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
