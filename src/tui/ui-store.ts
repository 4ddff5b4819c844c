import type { StoreApi } from 'zustand/vanilla';
import { createStore } from 'zustand/vanilla';
import type { Size } from './view-model/layout.ts';
import type { UIState } from './view-model/ui-state.ts';
import { initialUIState } from './view-model/ui-state.ts';

export type UIStore = StoreApi<UIState>;

export function createUIStore(size: Size): UIStore {
  return createStore<UIState>(() => initialUIState(size));
}
