export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface Pane {
  readonly width: number;
  readonly height: number;
}

/**
 * split    list and detail side by side, from 110 columns on
 * stacked  list above detail, in narrow windows with many rows
 * single   one of the two, at 80x24
 */
export interface Layout {
  readonly mode: 'split' | 'stacked' | 'single';
  readonly list: Pane;
  readonly detail: Pane;
}

const SPLIT_COLUMNS = 110;
const STACKED_ROWS = 30;
const SMALLEST: Size = { columns: 40, rows: 12 };
/** Titles need room; the text of the details can be wrapped. */
const LIST_SHARE = 0.53;
/** The line between the panes, and the space around it. */
const SEPARATOR = 3;

export function isTooSmall({ columns, rows }: Size): boolean {
  return columns < SMALLEST.columns || rows < SMALLEST.rows;
}

/** `chromeRows` are those of header and footer. */
export function layoutOf({ columns, rows }: Size, chromeRows: number): Layout {
  const height = Math.max(rows - chromeRows, 1);
  if (columns >= SPLIT_COLUMNS) {
    const listWidth = Math.floor(columns * LIST_SHARE);
    const list = { width: listWidth, height };
    return { mode: 'split', list, detail: { width: columns - listWidth - SEPARATOR - 1, height } };
  }
  const width = columns - 2;
  if (rows >= STACKED_ROWS) {
    const listHeight = Math.floor(height * 0.45);
    const list = { width: columns, height: listHeight };
    return { mode: 'stacked', list, detail: { width, height: height - listHeight - 1 } };
  }
  return { mode: 'single', list: { width: columns, height }, detail: { width, height } };
}
