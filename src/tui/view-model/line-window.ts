import type { Line } from './line.ts';
import { span } from './line.ts';

/** The lines that are visible from one on; where there are more below, the last one says how many. */
export function windowOf(lines: readonly Line[], top: number, height: number): readonly Line[] {
  const visible = lines.slice(top, top + height);
  const hidden = lines.length - top - height;
  if (hidden <= 0 || height < 2) return visible;
  return [...visible.slice(0, -1), [span(`  ↓ ${hidden + 1} more lines`, 'dim')]];
}
