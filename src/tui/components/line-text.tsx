import { Text } from 'ink';
import { memo } from 'react';
import type { ReactNode } from 'react';
import type { Line, Tone } from '../view-model/line.ts';

interface Look {
  readonly color?: string;
  readonly bold?: boolean;
  readonly dimColor?: boolean;
}

/** Only the terminal's own sixteen colours: they follow its theme, dark or light. */
const LOOKS: Readonly<Record<Tone, Look>> = {
  plain: {},
  dim: { dimColor: true },
  strong: { bold: true },
  accent: { color: 'cyan' },
  good: { color: 'green' },
  warn: { color: 'yellow', bold: true },
  bad: { color: 'red' },
};

export interface LineTextProps {
  readonly line: Line;
  readonly isColored: boolean;
  /** Shows the whole line in reverse. */
  readonly isInverse?: boolean;
}

/** One line of the screen. It is as wide as it should be: ink neither wraps nor cuts it. Most lines stay from frame to frame. */
export const LineText = memo(LineTextView, isSame);

function LineTextView({ line, isColored, isInverse = false }: LineTextProps): ReactNode {
  if (line.length === 0) return <Text> </Text>;
  return (
    <Text wrap="truncate-end" inverse={isInverse}>
      {line.map(({ text, tone }, index) =>
        tone === 'plain' ? (
          text
        ) : (
          <Text key={index} {...lookOf(tone, isColored, isInverse)}>
            {text}
          </Text>
        ),
      )}
    </Text>
  );
}

/** On a line in reverse only weight is left: colours would become backgrounds. */
function lookOf(tone: Tone, isColored: boolean, isInverse: boolean): Look {
  const { color, ...weight } = LOOKS[tone];
  if (isInverse) return tone === 'strong' ? { bold: true } : {};
  return isColored && color !== undefined ? { color, ...weight } : weight;
}

function isSame(before: LineTextProps, after: LineTextProps): boolean {
  return (
    before.isColored === after.isColored &&
    before.isInverse === after.isInverse &&
    before.line.length === after.line.length &&
    before.line.every(({ text, tone }, index) => text === after.line[index]?.text && tone === after.line[index].tone)
  );
}
