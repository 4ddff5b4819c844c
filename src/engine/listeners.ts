import type { Logger } from './ports.ts';

export interface Listeners<T> {
  /** Returns a function that removes it. */
  add(listener: (value: T) => void): () => void;
  emit(value: T): void;
}

/** Calls everybody in turn. One that throws is logged and harms nobody else. */
export function createListeners<T>(logger: Logger): Listeners<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    add: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    emit: (value) => {
      for (const listener of listeners) {
        try {
          listener(value);
        } catch (error) {
          logger.error({ err: error }, 'a listener threw');
        }
      }
    },
  };
}
