import type { Engine, EngineEvent } from '../../engine/engine-types.ts';
import { describeActivity } from '../view-model/describe-activity.ts';
import { createDetailsLoader } from './create-details-loader.ts';
import type { Frame } from '../view-model/frame.ts';
import type { Facts } from '../view-model/item-facts.ts';
import { createStreamTails } from './create-stream-tails.ts';

/**
 * The engine as a sequence of frames. However much happens, there are at most 15 frames a second; without any change
 * there is one a second, because clocks are on the screen.
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
const TICK_MS = 1000;

export function createFeed(engine: Engine, now: () => number): Feed {
  const listeners = new Set<() => void>();
  const tails = createStreamTails(engine, requestFrame);
  const details = createDetailsLoader(engine, requestFrame);
  const subscriptions: (() => void)[] = [];
  let activity = '';
  let done = 0;
  let frame = takeFrame();
  let timer: NodeJS.Timeout | null = null;
  let tick: NodeJS.Timeout | null = null;

  function takeFrame(): Frame {
    const snapshot = engine.getSnapshot();
    tails.follow(snapshot.runs.filter(({ status }) => status === 'running').map(({ sessionID }) => sessionID));
    return { snapshot, now: now(), tails: tails.read(), details: details.read, activity, done };
  }

  function requestFrame(): void {
    timer ??= setTimeout(publishFrame, FRAME_MS);
  }

  function publishFrame(): void {
    timer = null;
    frame = takeFrame();
    for (const listener of listeners) listener();
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
