/** What one hung backend of ten costs those who do not call it. */
import { median } from '../statistics.ts'
import { connect, type Connection } from './connection.ts'
import { startEchoServers } from './echo-servers.ts'
import { firstAnswer } from './measure.ts'
import type { Peer } from './peer.ts'

const BACKENDS = 10
const CALLS = 20
const LIMIT_MS = 20_000

/** Milliseconds; `undefined` where there was no answer within 20 s. */
export interface Hung {
  /** p50 of calls of a tool whose backend works. */
  call: { before?: number; hanging?: number }
  /** A list of tools: the median before, the first after the backend hangs, and the median of those after that. */
  list: { before?: number; first?: number; hanging?: number }
  /** How many tools are listed while the backend hangs; there are ten backends with one tool each. */
  tools?: number
}

export async function measureHung(peer: Peer): Promise<Hung> {
  const servers = await startEchoServers(BACKENDS)
  try {
    const healthy = await measureOne(peer, servers.urls, false, () => undefined)
    const { call, list } = healthy
    const hanging = await measureOne(peer, servers.urls, true, servers.hangLast)
    return {
      call: { before: call, hanging: hanging.call },
      list: { before: list, first: hanging.first, hanging: hanging.list },
      tools: hanging.tools,
    }
  } finally {
    await servers.stop()
  }
}

interface Measured {
  first?: number
  list?: number
  call?: number
  tools?: number
}

async function measureOne(
  peer: Peer,
  urls: readonly string[],
  lastHangs: boolean,
  hang: () => void,
): Promise<Measured> {
  const running = await peer.start({ urls, lastHangs })
  try {
    const { tool, listMs } = await firstAnswer(running)
    const client = await connect(running, LIMIT_MS)
    hang()
    if (lastHangs) await new Promise((wake) => setTimeout(wake, peer.listCacheMs ?? 0))
    try {
      let tools: number | undefined
      const list = () =>
        timed(async (on) => {
          tools = (await on.list()).length
        }, client)
      const next = await list()
      // Such a backend hangs from the start, so that the first list was the one before the first call.
      const first = lastHangs && peer.ownTool ? listMs : next
      const lists = await series(next === undefined ? 1 : 5, list)
      const call = await series(CALLS, () => timed((on) => on.echo(tool, 'healthy'), client))
      return { first, list: lists, call, tools }
    } finally {
      client.close()
    }
  } finally {
    await running.stop()
  }
}

/** The median, or undefined when most had no answer. Ends at the second that has none: each takes 20 s. */
async function series(
  count: number,
  work: () => Promise<number | undefined>,
): Promise<number | undefined> {
  const times: number[] = []
  let without = 0
  for (let at = 0; at < count && without < 2; at++) {
    const time = await work()
    if (time === undefined) without += 1
    else times.push(time)
  }
  return without > times.length ? undefined : median(times)
}

async function timed(
  work: (client: Connection) => Promise<void>,
  client: Connection,
): Promise<number | undefined> {
  const begun = performance.now()
  try {
    await work(client)
    return performance.now() - begun
  } catch {
    return undefined
  }
}
