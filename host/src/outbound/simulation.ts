/** The world around a component, replaced for tests of it: where its requests go, what time it is, which ids it draws. */
import type { ComponentServices, Outbound, OutboundRequest } from '../instance/services.ts'
import type { Network } from './network.ts'

/** With it, components treat each request to the host as one from a gateway: see `fromComponents` in `server/server.ts`. */
export interface Simulation {
  /**
   * Receives every request of every component as an HTTP proxy does: with the whole URL, and without TLS. Which hosts a
   * component may reach is not checked.
   */
  proxy: { host: string; port: number }
  /** Made by {@link simulatedWorld}, and read by all threads. */
  world: SharedArrayBuffer
}

/** Places in the shared memory. */
const TIME = 0
const DRAWN = 1

/** The clock and the ids of a host with a {@link Simulation}, shared with its threads. */
export interface SimulatedWorld {
  /** For {@link Simulation}. */
  shared: SharedArrayBuffer
  /** Sets the wall clock. @param milliseconds since 1970. */
  setTime(milliseconds: number): void
  /** How many ids were drawn; the next one has the next number. */
  drawn: number
}

/** Creates a world for {@link Simulation}: at 1 January 1970, with no id drawn. */
export function simulatedWorld(): SimulatedWorld {
  const shared = new SharedArrayBuffer(16)
  const cells = new BigInt64Array(shared)
  return {
    shared,
    setTime: (milliseconds) => void Atomics.store(cells, TIME, BigInt(Math.trunc(milliseconds))),
    get drawn() {
      return Number(Atomics.load(cells, DRAWN))
    },
    set drawn(count) {
      Atomics.store(cells, DRAWN, BigInt(count))
    },
  }
}

/** What a thread's components get instead of the real services. */
export function simulatedServices(
  { proxy, world }: Simulation,
  network: Network,
): Pick<ComponentServices, 'outbound' | 'now' | 'randomId'> {
  const cells = new BigInt64Array(world)
  const outbound: Outbound = {
    send(request, caller) {
      caller.noteEffect()
      return network.send(proxied(request), { secure: false, ...proxy })
    },
  }
  return {
    outbound,
    now: () => Number(Atomics.load(cells, TIME)),
    randomId: () => {
      const bytes = new Uint8Array(16)
      // The digits of a UUID after the last dash; its version and variant are in the bytes before.
      new DataView(bytes.buffer).setBigUint64(8, Atomics.add(cells, DRAWN, 1n) + 1n)
      return bytes
    },
  }
}

function proxied(request: OutboundRequest): OutboundRequest {
  const { scheme, authority, path } = request
  return { ...request, path: `${scheme}://${authority}${path.startsWith('/') ? '' : '/'}${path}` }
}
