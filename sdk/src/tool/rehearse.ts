/** A call of a tool that `find` makes, while the component is built. Components without one do not contain this. */
import { DEADLINE_HEADER, PREFER_HEADER, REQUEST_ID_HEADER } from 'ftl-contract'
import type { ContextPlatform } from './context.ts'
import type { Rehearsal } from './create-dynamic-tools.ts'

/** A component as the builder calls it. */
export interface Served {
  fetch(request: Request, platform: ContextPlatform): Promise<Response>
}

/** Turns of the microtask queue that an answer may take; a timer cannot end the wait, because the builder has none. */
const TURNS = 1000

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json',
  [REQUEST_ID_HEADER]: '-',
  [DEADLINE_HEADER]: '1000',
  [PREFER_HEADER]: 'respond-async',
}

/** @throws {TypeError} when the call is not answered: it would have prepared the wrong thing. */
export function rehearse({ tool, platform }: Rehearsal) {
  return async (component: Served): Promise<void> => {
    const { clearTimeout } = globalThis
    // Timers are replaced by then, and there is no host that could end one.
    globalThis.clearTimeout = () => undefined
    try {
      // The second time the engine optimises what it has seen once.
      for (let times = 0; times < 2; times++) {
        let answer: string | undefined
        const request = new Request(`http://rehearsal.spin.internal/${tool}`, {
          method: 'POST',
          headers: HEADERS,
          body: '{}',
        })
        const end = (text: string) => void (answer = text)
        component
          .fetch(request, platform)
          .then(async (response) => `status ${response.status}: ${await response.text()}`)
          .then(end, (error: unknown) => end(String(error)))
        for (let turns = 0; answer === undefined && turns < TURNS; turns++) await Promise.resolve()
        if (answer?.startsWith('status 200') && !answer.includes('"isError":true')) continue
        throw new TypeError(
          `the rehearsal of tool "${tool}" got ${answer ?? 'no answer: it waits'}`,
        )
      }
    } finally {
      globalThis.clearTimeout = clearTimeout
    }
  }
}
