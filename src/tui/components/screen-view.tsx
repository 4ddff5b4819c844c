import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import type { DetailView } from '../view-model/detail-view.ts';
import type { ListRow } from '../view-model/item-rows.ts';
import type { Line } from '../view-model/line.ts';
import { padLine } from '../view-model/line.ts';
import type { Body, Screen } from '../view-model/screen.ts';
import type { UIState } from '../view-model/ui-state.ts';
import { LineText } from './line-text.tsx';

interface ScreenViewProps {
  readonly screen: Screen;
  readonly ui: UIState;
  readonly isColored: boolean;
}

export function ScreenView({ screen, ui, isColored }: ScreenViewProps): ReactNode {
  const { columns } = ui.size;
  return (
    <Box flexDirection="column" width={columns}>
      <Lines lines={screen.header} isColored={isColored} />
      {screen.header.length > 0 && <Rule width={columns} />}
      <BodyView body={screen.body} ui={ui} isColored={isColored} />
      {screen.footer.length > 0 && <Rule width={columns} />}
      <Lines lines={screen.footer} isColored={isColored} />
    </Box>
  );
}

function BodyView({ body, ui, isColored }: { body: Body; ui: UIState; isColored: boolean }): ReactNode {
  if (body.kind === 'text') {
    return (
      <Box flexDirection="column" height={body.height} paddingLeft={1}>
        <Lines lines={body.lines} isColored={isColored} />
      </Box>
    );
  }
  const { layout, rows, detail } = body;
  const isListActive = ui.focus === 'list';
  if (layout.mode === 'single') {
    const { height } = layout.list;
    return (
      <Box flexDirection="column" height={height}>
        {rows !== null && <ListView rows={rows} width={layout.list.width} isActive isColored={isColored} />}
        {rows === null && <PaneView detail={detail} isColored={isColored} />}
      </Box>
    );
  }
  const list = (
    <Box flexDirection="column" width={layout.list.width} height={layout.list.height}>
      <ListView rows={rows ?? []} width={layout.list.width} isActive={isListActive} isColored={isColored} />
    </Box>
  );
  const pane = (
    <Box flexDirection="column" width={layout.detail.width + 1} height={layout.detail.height}>
      <PaneView detail={detail} isColored={isColored} />
    </Box>
  );
  if (layout.mode === 'stacked') {
    return (
      <Box flexDirection="column">
        {list}
        <Rule width={ui.size.columns} />
        {pane}
      </Box>
    );
  }
  return (
    <Box>
      {list}
      <Box flexDirection="column" width={2} paddingLeft={1}>
        <Text dimColor>{Array.from({ length: layout.list.height }, () => '│').join('\n')}</Text>
      </Box>
      {pane}
    </Box>
  );
}

interface ListViewProps {
  readonly rows: readonly ListRow[];
  readonly width: number;
  readonly isActive: boolean;
  readonly isColored: boolean;
}

function ListView({ rows, width, isActive, isColored }: ListViewProps): ReactNode {
  return rows.map(({ line, isSelected }, index) => {
    const isInverse = isSelected && isActive;
    return (
      <LineText
        key={index}
        line={isInverse ? padLine(line, width) : line}
        isColored={isColored}
        isInverse={isInverse}
      />
    );
  });
}

function PaneView({ detail, isColored }: { detail: DetailView | null; isColored: boolean }): ReactNode {
  return (
    <Box flexDirection="column" paddingLeft={1}>
      <Lines lines={detail?.lines ?? []} isColored={isColored} />
    </Box>
  );
}

function Lines({ lines, isColored }: { lines: readonly Line[]; isColored: boolean }): ReactNode {
  return lines.map((line, index) => <LineText key={index} line={line} isColored={isColored} />);
}

function Rule({ width }: { width: number }): ReactNode {
  return <Text dimColor>{'─'.repeat(width)}</Text>;
}
