import { Box, useInput, useWindowSize } from 'ink';
import type { ReactNode } from 'react';
import { useEffect, useSyncExternalStore } from 'react';
import { keyNames } from '../key-name.ts';
import type { Feed } from '../live/create-feed.ts';
import type { UIStore } from '../ui-store.ts';
import { findSelection } from '../view-model/item-list.ts';
import { composeScreen, shownEntry } from '../view-model/screen.ts';
import type { ScreenContext } from '../view-model/screen.ts';
import { ScreenView } from './screen-view.tsx';

export interface AppProps {
  readonly store: UIStore;
  readonly feed: Feed;
  readonly context: ScreenContext;
  readonly isColored: boolean;
  readonly press: (key: string) => void;
}

/** Joins what the engine knows and what the person did into one picture, and passes keys on. */
export function App({ store, feed, context, isColored, press }: AppProps): ReactNode {
  const ui = useSyncExternalStore(store.subscribe, store.getState);
  const frame = useSyncExternalStore(feed.subscribe, feed.frame);
  const { columns, rows } = useWindowSize();
  useEffect(() => {
    const { size } = store.getState();
    if (size.columns !== columns || size.rows !== rows) store.setState({ size: { columns, rows } });
  }, [store, columns, rows]);
  useInput((input, key) => {
    for (const name of keyNames(input, key)) press(name);
  });
  const list = frame.list(ui.search);
  const shown = shownEntry(list, findSelection(list, ui.selectedKey, ui.selectedIndex), ui.pinnedKey);
  useEffect(() => feed.show(shown?.facts ?? null));
  return (
    <Box width={columns} height={rows} overflow="hidden">
      <ScreenView screen={composeScreen(ui, frame, context)} ui={ui} isColored={isColored} />
    </Box>
  );
}
