import type { Engine, EngineEvent } from '../../engine/engine-types.ts';
import { describeActivity } from '../view-model/describe-activity.ts';
import { createDetailsLoader } from './create-details-loader.ts';
import type { Frame } from '../view-model/frame.ts';
import type { Facts } from '../view-model/item-facts.ts';
import { createItemLister } from '../view-model/item-list.ts';
import { createStreamTails } from './create-stream-tails.ts';

/**
 * The engine as a sequence of frames. However much happens, there are at most 15 frames a second, and fewer where they
 * take long to draw; without any change there is one a second, because clocks are on the screen.
 */
export interface Feed {
  /** Begins to listen. Call it before the engine is started. */
  start(): void;
  stop(): void;
  frame(): Frame;
  subscribe(listener: () => void): () => void;
  /** Reads the details of what is shown. */
  show(facts: Facts | null): void;
}

const FRAME_MS = 66;
const LONGEST_FRAME_MS = 500;
/** After each frame there is a pause of so many times as long as it took: the rest of the core is for others. */
const PAUSE_FACTOR = 6;
const TICK_MS = 1000;

export function createFeed(engine: Engine, now: () => number, stopwatch: () => number = () => performance.now()): Feed {
  const listeners = new Set<() => void>();
  const tails = createStreamTails(engine, requestFrame);
  const details = createDetailsLoader(engine, requestFrame);
  const subscriptions: (() => void)[] = [];
  let activity = '';
  let done = 0;
  let frame = takeFrame();
  let timer: NodeJS.Timeout | null = null;
  let pauseMs = FRAME_MS;
  let tick: NodeJS.Timeout | null = null;

  function takeFrame(): Frame {
    const [snapshot, moment] = [engine.getSnapshot(), now()];
    tails.follow(snapshot.runs.filter(({ status }) => status === 'running').map(({ sessionID }) => sessionID));
    const list = createItemLister(snapshot, moment);
    return { snapshot, list, now: moment, tails: tails.read(), details: details.read, activity, done };
  }

  function requestFrame(): void {
    timer ??= setTimeout(publishFrame, pauseMs);
  }

  function publishFrame(): void {
    timer = null;
    const begin = stopwatch();
    frame = takeFrame();
    for (const listener of listeners) listener();
    // What listeners have put off is drawn when the loop comes round.
    setImmediate(() => {
      const tookMs = stopwatch() - begin;
      pauseMs = Math.min(Math.max(tookMs * PAUSE_FACTOR, FRAME_MS), LONGEST_FRAME_MS);
    });
  }

  function note(event: EngineEvent): void {
    activity = describeActivity(event) ?? activity;
    if (event.type === 'issueStatusChanged' && event.newStatus === null && event.oldStatus !== null) done++;
    requestFrame();
  }

  return {
    start: () => {
      subscriptions.push(engine.on(note), engine.subscribe(requestFrame));
      tick = setInterval(requestFrame, TICK_MS);
    },
    stop: () => {
      for (const unsubscribe of subscriptions) unsubscribe();
      if (timer !== null) clearTimeout(timer);
      if (tick !== null) clearInterval(tick);
      tails.stop();
      details.stop();
    },
    frame: () => frame,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    show: details.show,
  };
}
