import { viewDetail } from './detail-view.ts';
import type { DetailView } from './detail-view.ts';
import { emptyLines, failedLines, firstRunLines, noticeLines, startingLines, tooSmallLines } from './full-texts.ts';
import { footerLines } from './footer.ts';
import type { Frame } from './frame.ts';
import { headerLines } from './header.ts';
import { helpLines } from './help.ts';
import type { Entry, ItemList } from './item-list.ts';
import { findSelection } from './item-list.ts';
import type { ListRow } from './item-rows.ts';
import { visibleRows } from './item-rows.ts';
import type { Layout } from './layout.ts';
import { isTooSmall, layoutOf } from './layout.ts';
import type { Line } from './line.ts';
import { windowOf } from './line-window.ts';
import type { UIState } from './ui-state.ts';

/** One picture: header, body, footer. Every line fits its place; there are exactly as many as the window has rows. */
export interface Screen {
  readonly header: readonly Line[];
  readonly body: Body;
  readonly footer: readonly Line[];
}

export type Body =
  /** One text over the whole width. */
  | { readonly kind: 'text'; readonly lines: readonly Line[]; readonly height: number; readonly maxScroll: number }
  | {
      readonly kind: 'panes';
      readonly layout: Layout;
      /** Null where only the other one is visible. */
      readonly rows: readonly ListRow[] | null;
      readonly detail: DetailView | null;
    };

export interface ScreenContext {
  readonly repository: string;
  readonly warnings: readonly string[];
}

/** Everything visible, from what the engine knows and what the person did. Pure: the same input, the same picture. */
export function composeScreen(ui: UIState, frame: Frame, context: ScreenContext): Screen {
  const { columns, rows } = ui.size;
  if (isTooSmall(ui.size)) {
    return { header: [], body: textBody(tooSmallLines(ui.size), 0, rows), footer: [] };
  }
  const list = frame.list(ui.search);
  const selected = findSelection(list, ui.selectedKey, ui.selectedIndex);
  const shown = shownEntry(list, selected, ui.pinnedKey);
  const notices = [...frame.snapshot.notices, ...context.warnings];
  const { repository } = context;
  const header = headerLines(
    { repository, snapshot: frame.snapshot, notices, needsYou: list.totalNeedsYou, done: frame.done },
    columns,
  );
  const layout = layoutOf(ui.size, header.length + RULES + FOOTER);
  const footer = footerLines({ ui, frame, list, selected, shown, mode: layout.mode }, columns);
  const height = rows - header.length - RULES - FOOTER;
  const text = fullText(ui, frame.done, notices, list, columns - 2);
  if (text !== null) return { header, body: textBody(text, ui.detailScroll, height), footer };

  const isDetailVisible = layout.mode !== 'single' || ui.focus === 'detail';
  const isListVisible = layout.mode !== 'single' || ui.focus === 'list';
  const listRows = isListVisible ? visibleRows(list, selected, layout.list, frame.now) : null;
  const detail = isDetailVisible && shown !== null ? viewDetail(shown, ui, frame, layout.detail) : null;
  return { header, body: { kind: 'panes', layout, rows: listRows, detail }, footer };
}

/** One below the header, one above the footer. */
const RULES = 2;
const FOOTER = 2;

/** What the detail pane is about: the pinned entry, else the selected one. */
export function shownEntry(list: ItemList, selected: number, pinnedKey: string | null): Entry | null {
  const pinned = pinnedKey === null ? undefined : list.entries.find(({ key }) => key === pinnedKey);
  return pinned ?? list.entries[selected] ?? null;
}

function fullText(
  ui: UIState,
  done: number,
  notices: readonly string[],
  list: ItemList,
  width: number,
): readonly Line[] | null {
  if (ui.phase.name === 'failed') return failedLines(ui.phase.reason, width);
  if (ui.firstRunSpecs !== null) return firstRunLines(ui.firstRunSpecs, width);
  if (ui.overlay === 'help') return helpLines(width);
  if (ui.overlay === 'notices') return noticeLines(notices, width);
  if (list.entries.length > 0) return null;
  if (ui.phase.name === 'starting') return startingLines();
  return emptyLines(ui.search, done, width);
}

function textBody(lines: readonly Line[], scroll: number, height: number): Body {
  const maxScroll = Math.max(lines.length - height, 0);
  const top = Math.min(scroll, maxScroll);
  return { kind: 'text', lines: windowOf(lines, top, height), height, maxScroll };
}
