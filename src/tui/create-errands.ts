import type { Engine } from '../engine/engine-types.ts';
import type { Facts } from './view-model/item-facts.ts';
import { linkOf, runCommandOf } from './view-model/links.ts';
import type { Repository } from './view-model/links.ts';

export interface ErrandDeps {
  readonly engine: Pick<Engine, 'refresh'>;
  readonly repository: Repository;
  /** Rejects, with a sentence for people, where no page can be opened. */
  readonly openURL: (url: string) => Promise<void>;
  /** Resolves to what was done, in words. Rejects like `openURL`. */
  readonly copyText: (text: string) => Promise<string>;
}

/** What takes a moment and may fail: browser, clipboard, forge. None of them rejects; all say how it went. */
export interface Errands {
  open(facts: Facts | null): Promise<void>;
  copyLink(facts: Facts | null): Promise<void>;
  copyRunCommand(facts: Facts | null): Promise<void>;
  refresh(): Promise<void>;
}

export function createErrands(deps: ErrandDeps, say: (message: string) => void): Errands {
  async function copy(text: string): Promise<void> {
    try {
      say(`${await deps.copyText(text)}: ${text}`);
    } catch (error) {
      say(`${messageOf(error)} Here it is: ${text}`);
    }
  }

  return {
    open: async (facts) => {
      const link = linkOf(deps.repository, facts);
      if ('refusal' in link) return say(link.refusal);
      try {
        say(`Opening ${link.url} ...`);
        await deps.openURL(link.url);
        say(`Opened ${link.url}`);
      } catch (error) {
        say(`${messageOf(error)} The link: ${link.url}`);
      }
    },
    copyLink: async (facts) => {
      const link = linkOf(deps.repository, facts);
      return 'refusal' in link ? say(link.refusal) : copy(link.url);
    },
    copyRunCommand: async (facts) => {
      const found = runCommandOf(facts);
      return 'refusal' in found ? say(found.refusal) : copy(found.command);
    },
    refresh: async () => {
      try {
        say('Reading the forge ...');
        await deps.engine.refresh();
        say('Read the forge: all is up to date.');
      } catch (error) {
        say(`The forge could not be read: ${messageOf(error)}`);
      }
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
