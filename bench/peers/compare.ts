/** The whole comparison: install, start, load in turns, one hung backend. */
import { median } from '../statistics.ts'
import { startEchoServers } from './echo-servers.ts'
import { measureHung } from './hung.ts'
import { firstAnswer, measureLoad, type Subject } from './measure.ts'
import { type Peer, Skipped } from './peer.ts'
import { used } from './resources.ts'
import type { Omitted, Result } from './table.ts'

const CONNECTIONS = [1, 4, 16]

interface Present {
  peer: Peer
  result: Result
}

export async function compare(
  peers: readonly Peer[],
  quick: boolean,
  progress: (line: string) => void,
): Promise<{ results: Result[]; omitted: Omitted[] }> {
  const omitted: Omitted[] = []
  let present: Present[] = []
  const omit = (name: string, error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    progress(`${name}: not measured: ${reason}`)
    omitted.push({ name, reason: error instanceof Skipped ? reason : `it failed: ${reason}` })
  }
  /** Those whose work fails are left out, and the others go on. */
  const forEach = async (what: string, work: (one: Present) => Promise<void>) => {
    for (const one of present) {
      progress(`${one.peer.name}: ${what}`)
      await work(one).catch((error: unknown) => {
        omit(one.peer.name, error)
        present = present.filter((other) => other !== one)
      })
    }
  }
  present = peers.map((peer) => ({ peer, result: emptyResult(peer) }))
  // All at once: installing takes longer than measuring, and nothing is measured yet.
  await Promise.all(
    present.map(async ({ peer, result }) => {
      progress(`${peer.name}: install`)
      result.version = await peer.install().catch((error: unknown) => {
        omit(peer.name, error)
        return ''
      })
    }),
  )
  present = present.filter(({ result }) => result.version !== '')
  const servers = await startEchoServers(1)
  const { urls } = servers
  const backends = { urls, lastHangs: false }
  const subjects: Subject[] = []
  try {
    await forEach('time to the first answer', async ({ peer, result }) => {
      const times: number[] = []
      // The first start prepares what later ones find.
      for (let start = 0; start < (quick ? 2 : 4); start++) {
        const running = await peer.start(backends)
        try {
          const { ms } = await firstAnswer(running)
          if (start > 0) times.push(ms)
        } finally {
          await running.stop()
        }
      }
      result.startMs = median(times)
    })
    await forEach('start', async ({ peer, result }) => {
      const running = await peer.start(backends)
      const { tool } = await firstAnswer(running)
      result.memory.first = (await used(running.pid)).memory
      const backendPid = peer.ownTool ? undefined : servers.pid
      subjects.push({ name: peer.name, running, tool, backendPid })
    })
    for (const connections of subjects.length > 0 ? CONNECTIONS : []) {
      progress(`load on ${connections} connections: ${subjects.map(({ name }) => name).join(', ')}`)
      const length = quick ? { seconds: 1, rounds: 1 } : { seconds: 3, rounds: 5 }
      const loads = await measureLoad(subjects, { connections, ...length })
      for (const { result } of present) {
        const load = loads.get(result.name)
        if (load) result.loads.push(load)
      }
    }
    for (const { name, running } of subjects) {
      const one = present.find(({ peer }) => peer.name === name)
      if (one) one.result.memory.after = (await used(running.pid)).memory
    }
  } finally {
    for (const { running } of subjects) await running.stop()
    await servers.stop()
  }
  for (const { peer, result } of present) {
    if (peer.noHungBackend !== undefined) continue
    progress(`${peer.name}: one hung backend of ten`)
    await measureHung(peer).then(
      (hung) => (result.hung = hung),
      (error: unknown) => omit(`${peer.name} with a hung backend`, error),
    )
  }
  return { results: present.map(({ result }) => result), omitted }
}

function emptyResult({ name, about, more }: Peer): Result {
  const memory = { first: Number.NaN, after: Number.NaN }
  return { name, about, more, version: '', startMs: Number.NaN, memory, loads: [] }
}
