/** As `Promise.all(items.map(map))`, but `max` at a time, and nothing more is begun after a failure. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  max: number,
  map: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const entries = items.entries();
  let hasFailed = false;
  const work = async () => {
    for (const [index, item] of entries) {
      if (hasFailed) return;
      try {
        results[index] = await map(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(max, items.length) }, work));
  return results;
}
