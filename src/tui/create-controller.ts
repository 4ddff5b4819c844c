import type { Engine, EngineCommand } from '../engine/engine-types.ts';
import { createErrands } from './create-errands.ts';
import type { ErrandDeps } from './create-errands.ts';
import type { Quitting } from './create-quitting.ts';
import type { FirstRunAnswer } from './first-run-question.ts';
import type { UIStore } from './ui-store.ts';
import type { Frame } from './view-model/frame.ts';
import type { Entry } from './view-model/item-list.ts';
import { findSelection } from './view-model/item-list.ts';
import type { Intent } from './view-model/keys.ts';
import { intentOf } from './view-model/keys.ts';
import type { Action } from './view-model/offers.ts';
import { offerOf } from './view-model/offers.ts';
import type { Screen } from './view-model/screen.ts';
import { shownEntry } from './view-model/screen.ts';
import { charactersOf } from './view-model/text-cells.ts';
import type { UIState } from './view-model/ui-state.ts';

export interface ControllerDeps extends ErrandDeps {
  readonly engine: Pick<Engine, 'send' | 'refresh'>;
  readonly store: UIStore;
  readonly frame: () => Frame;
  readonly screen: () => Screen;
  readonly answerFirstRun: (answer: FirstRunAnswer) => void;
  readonly quitting: Pick<Quitting, 'gracefully' | 'atOnce'>;
}

export interface Controller {
  /** One key, by the name that the help gives it. */
  press(key: string): void;
  /** Stops the engine gracefully, without a question. */
  quit(): void;
  /** Keeps selection and pin on entries that exist. To be called with every frame. */
  settle(): void;
}

/** What keys do. Every answer goes into the store; what the engine is asked goes through `send`. */
export function createController(deps: ControllerDeps): Controller {
  const { engine, store } = deps;
  const set = (change: Partial<UIState>) => store.setState(change);
  const say = (message: string) => set({ message });
  const errands = createErrands(deps, say);

  function current(): { shown: Entry | null; count: number; selected: number; keys: readonly string[] } {
    const ui = store.getState();
    const list = deps.frame().list(ui.search);
    const selected = findSelection(list, ui.selectedKey, ui.selectedIndex);
    const keys = list.entries.map(({ key }) => key);
    return { shown: shownEntry(list, selected, ui.pinnedKey), count: keys.length, selected, keys };
  }

  function select(index: number): void {
    const { keys, count } = current();
    const selectedIndex = Math.max(Math.min(index, count - 1), 0);
    const scroll = store.getState().pinnedKey === null ? { detailScroll: 0, outputScroll: 0 } : {};
    set({ selectedIndex, selectedKey: keys[selectedIndex] ?? null, ...scroll });
  }

  function settle(): void {
    const ui = store.getState();
    const { keys, selected } = current();
    const key = keys[selected] ?? null;
    // While a search hides everything, the selection waits for the end of the search.
    if (key !== null && (key !== ui.selectedKey || selected !== ui.selectedIndex)) {
      set({ selectedKey: key, selectedIndex: selected });
    }
    if (ui.pinnedKey !== null && ui.search === '' && !keys.includes(ui.pinnedKey)) set({ pinnedKey: null });
  }

  function press(key: string): void {
    const ui = store.getState();
    if (key === 'Ctrl-c') return interrupt(ui);
    if (ui.phase.name === 'stopping' || ui.phase.name === 'stopping-at-once') return;
    if (ui.phase.name === 'failed')
      return key === 'q' || key === 'Esc' || key === 'Enter' ? quit('stopping') : undefined;
    set({ message: null });
    if (ui.question !== null) return answer(key, ui);
    if (ui.firstRunSpecs !== null && answerFirstRun(key)) return;
    if (ui.isSearching) return typeSearch(key, ui);
    const intent = intentOf(key);
    if (intent !== null) perform(intent, ui);
  }

  /** The first Ctrl-C asks, every later one goes a step further. */
  function interrupt({ phase, question }: UIState): void {
    if (phase.name === 'stopping' || phase.name === 'stopping-at-once' || question?.about === 'quit') {
      quit('stopping-at-once');
    } else if (phase.name === 'failed') quit('stopping');
    else set({ question: { about: 'quit' }, isSearching: false, message: null });
  }

  function quit(name: 'stopping' | 'stopping-at-once'): void {
    const { phase } = store.getState();
    if (phase.name === 'stopping-at-once' && name === 'stopping') return;
    set({ phase: phase.name === 'failed' ? phase : { name }, question: null, firstRunSpecs: null, overlay: null });
    if (name === 'stopping') deps.quitting.gracefully();
    else deps.quitting.atOnce();
  }

  function answer(key: string, { question }: UIState): void {
    const isYes = key === 'y' || key === 'Y' || key === 'Enter';
    const isNo = key === 'n' || key === 'N' || key === 'Esc' || key === 'q';
    if (isNo) set({ question: null });
    if (!isYes || question === null) return;
    if (question.about === 'quit') quit('stopping');
    else {
      set({ question: null });
      send(question.command, question.done);
    }
  }

  function answerFirstRun(key: string): boolean {
    if (key !== 'p' && key !== 'd') return false;
    set({ firstRunSpecs: null, message: key === 'p' ? 'The specs go to the planner.' : 'The specs count as done.' });
    deps.answerFirstRun(key === 'p' ? 'plan' : 'assume-planned');
    return true;
  }

  function typeSearch(key: string, { search }: UIState): void {
    if (key === 'Enter') set({ isSearching: false });
    else if (key === 'Esc') set({ isSearching: false, search: '' });
    else if (key === 'Backspace')
      set(search === '' ? { isSearching: false } : { search: charactersOf(search).slice(0, -1).join('') });
    else if (key === '↑' || key === '↓') select(current().selected + (key === '↑' ? -1 : 1));
    else if (charactersOf(key).length === 1) set({ search: search + key });
  }

  function perform(intent: Intent, ui: UIState): void {
    switch (intent) {
      case 'up':
      case 'down':
      case 'pageUp':
      case 'pageDown':
      case 'first':
      case 'last':
        return move(intent, ui);
      case 'enter':
        return enter(ui);
      case 'back':
        return back(ui);
      case 'switch':
        return ui.focus === 'list' ? enter(ui) : set({ focus: 'list' });
      case 'dispatch':
      case 'review':
      case 'merge':
      case 'retry':
      case 'cancel':
        return act(intent);
      case 'open':
        return void errands.open(current().shown?.facts ?? null);
      case 'copy':
        return void errands.copyLink(current().shown?.facts ?? null);
      case 'copyRun':
        return void errands.copyRunCommand(current().shown?.facts ?? null);
      case 'pin':
        return pin(ui);
      case 'output':
        return set({ isOutputOnly: !ui.isOutputOnly, outputScroll: 0, focus: 'detail' });
      case 'search':
        return set({ isSearching: true, overlay: null, focus: 'list' });
      case 'notices':
      case 'help':
        return set({ overlay: ui.overlay === intent ? null : intent, detailScroll: 0 });
      case 'refresh':
        return void errands.refresh();
      case 'quit':
        return ui.overlay === null ? set({ question: { about: 'quit' } }) : set({ overlay: null });
    }
  }

  function move(intent: 'up' | 'down' | 'pageUp' | 'pageDown' | 'first' | 'last', ui: UIState): void {
    const { body } = deps.screen();
    const isText = body.kind === 'text';
    const page = Math.max((isText ? body.height : body.layout.list.height) - 3, 1);
    const step = { up: -1, down: 1, pageUp: -page, pageDown: page, first: -Infinity, last: Infinity }[intent];
    if (isText) return set({ detailScroll: clamp(ui.detailScroll + step, body.maxScroll) });
    if (ui.focus === 'list' || body.detail === null) return select(current().selected + step);
    const { scrolls, maxDetailScroll, maxOutputScroll } = body.detail;
    if (scrolls === 'output') return set({ outputScroll: clamp(ui.outputScroll - step, maxOutputScroll()) });
    return set({ detailScroll: clamp(Math.min(ui.detailScroll, maxDetailScroll) + step, maxDetailScroll) });
  }

  function enter(ui: UIState): void {
    const { body } = deps.screen();
    if (body.kind === 'text') return;
    // Where only one pane is visible, opening another entry means to see that one.
    const isElsewhere = body.layout.mode === 'single' && ui.pinnedKey !== ui.selectedKey;
    set({ focus: 'detail', ...(isElsewhere ? { pinnedKey: null } : {}) });
  }

  function back(ui: UIState): void {
    if (ui.overlay !== null) set({ overlay: null, detailScroll: 0 });
    else if (ui.focus === 'detail') set({ focus: 'list', isOutputOnly: false, outputScroll: 0 });
    else set({ search: '' });
  }

  function act(action: Action): void {
    const { shown } = current();
    if (shown === null) return say('No item is selected.');
    const offer = offerOf(action, shown.facts);
    if ('refusal' in offer) return say(offer.refusal);
    const { command, question, done } = offer;
    if (question === null) send(command, done);
    else set({ question: { about: 'command', text: question, command, done } });
  }

  function send(command: EngineCommand, done: string): void {
    engine.send(command);
    say(done);
  }

  function pin(ui: UIState): void {
    if (ui.pinnedKey !== null) return set({ pinnedKey: null, message: 'Unpinned.' });
    const { shown } = current();
    if (shown === null) return say('No item is selected.');
    const name = shown.facts.item === null ? 'The planner' : `#${shown.facts.item.id}`;
    set({ pinnedKey: shown.key, message: `${name} stays in the details until p is pressed again.` });
  }

  return { press, settle, quit: () => quit('stopping') };
}

function clamp(value: number, max: number): number {
  return Math.max(Math.min(value, max), 0);
}
