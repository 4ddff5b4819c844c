import type { Fault, ProxiedRequest } from '../fault-proxy/fault.ts';
import { answer } from '../fault-proxy/fault.ts';

export interface TroubleReport {
  readonly what: string;
  /** By the engine's clock. */
  readonly minutes: number;
  /** How many requests were sent meanwhile. */
  readonly requests: number;
}

/** What happens to the forge as a whole while the work goes on: it is away, and the app's installation is suspended. */
export interface Troubles {
  /** To be told how much of the work is done, from 0 to 1: the troubles come at a third and at two thirds. */
  progress(share: number): void;
  /** What becomes of a request, if there is trouble. */
  choose(request: ProxiedRequest): Fault | null;
  readonly reports: readonly TroubleReport[];
}

export function createTroubles(troubleMs: number, speed: number): Troubles {
  const coming = [
    { at: 1 / 3, what: 'outage', faultOf: outage },
    { at: 2 / 3, what: 'suspended installation', faultOf: suspension },
  ];
  const reports: TroubleReport[] = [];
  let current: { readonly faultOf: (request: ProxiedRequest) => Fault; requests: number } | null = null;

  return {
    reports,
    progress(share) {
      const [next] = coming;
      if (troubleMs === 0 || next === undefined || share < next.at || current !== null) return;
      coming.shift();
      const trouble = { faultOf: next.faultOf, requests: 0 };
      current = trouble;
      setTimeout(() => {
        current = null;
        reports.push({ what: next.what, minutes: troubleMs / 60_000, requests: trouble.requests });
      }, troubleMs / speed);
    },
    choose(request) {
      if (current === null) return null;
      current.requests += 1;
      return current.faultOf(request);
    },
  };
}

function outage(): Fault {
  return { kind: 'drop' };
}

/** GitHub takes back the tokens of a suspended installation and gives no new ones. */
function suspension({ path }: ProxiedRequest): Fault {
  return answer(path.endsWith('/access_tokens') ? 403 : 401);
}
