/** `1.20 USD`. */
export function formatUSD(usd: number): string {
  return `${usd.toFixed(2)} USD`;
}

/** The two largest units: `3 h 5 min`, `42 s`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** When the next attempt begins: `tries again in 40 s`. Both in epoch ms. */
export function formatNextTry(at: number, now: number): string {
  return at <= now ? 'tries again now' : `tries again in ${formatAge(at - now)}`;
}
