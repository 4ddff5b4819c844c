import { ProviderError } from '../../domain/provider-error.ts';

/** GitHub's number behind one of our ids. An id that cannot be one names nothing: `not-found`, without a request. */
export function resourceNumber(id: string): number {
  const number = Number(id);
  if (/^[1-9]\d*$/.test(id) && Number.isSafeInteger(number)) return number;
  throw new ProviderError('not-found', `There is nothing with the id ${JSON.stringify(id)}: ids here are numbers`);
}

/** For reads by id: null where the forge says that there is nothing. */
export async function nullIfNotFound<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'not-found') return null;
    throw error;
  }
}
