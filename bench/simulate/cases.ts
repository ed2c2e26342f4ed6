/** Small cases, measured and predicted: what the error of the simulation is. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startComfyui } from '../../test/jobs/comfyui.ts'
import { noStore, startStore } from '../../test/many/store.ts'
import { MANIFEST, runtimeConfig } from '../../test/many/world.ts'
import { SHOTS } from '../load.ts'
import { CLIENTS, createSender, type Shot } from '../sender.ts'
import { serve } from '../serving.ts'
import type { Demands, DeploymentOptions } from './deployment.ts'
import { closedLoop, type Measured, type Subjects } from './measured.ts'
import { measureJobs } from './measured-jobs.ts'
import { type Outcome, simulate } from './traffic.ts'

/** What a request needs, as measured; the whole of the simulation's input. */
export interface Figures {
  call: Demands
  /** With a store that hosts share. */
  sharedCall?: Demands
  read?: Demands
  poll?: Demands
}

export interface Case {
  name: string
  /** Such as requests a second. */
  unit: string
  measured: number
  predicted: number
  /** The figures were taken from this case, so that its error says nothing. */
  isCalibration?: boolean
}

export interface CaseOptions {
  /** Seconds of one measurement. */
  seconds: number
  onCase: (one: Case) => void
}

const CORES = availableParallelism()
const SIMULATED_MS = 20_000

const shared = (hosts: number, workers: number): DeploymentOptions => ({
  hosts,
  workers,
  cores: CORES,
  isShared: true,
})

/** Calls on one host, with one and two workers. */
export async function calls({ seconds, onCase }: CaseOptions): Promise<Demands> {
  let demands: Demands | undefined
  for (const workers of [1, 2]) {
    const host = await serve({ workers })
    try {
      const subjects: Subjects = { hosts: [host] }
      await warmUp(subjects, SHOTS.gateway)
      demands ??= await calibrate(subjects, SHOTS.gateway, shared(1, workers), seconds)
      await compare(subjects, SHOTS.gateway, demands, shared(1, workers), seconds, (one) =>
        onCase({ ...one, name: `${workers} worker${workers > 1 ? 's' : ''}, ${one.name}` }),
      )
    } finally {
      await host.close()
    }
  }
  return demands as Demands
}

/** Hosts that share a store: calls, and jobs that are read. */
export async function manyHosts(
  options: CaseOptions,
): Promise<Pick<Figures, 'sharedCall' | 'read' | 'poll'>> {
  if (noStore !== '') return {}
  const [store, comfyui] = await Promise.all([startStore(), startComfyui(3600)])
  const folder = await mkdtemp(join(tmpdir(), 'ftl-simulate-'))
  const runtimeConfigFile = join(folder, 'runtime.toml')
  await writeFile(runtimeConfigFile, runtimeConfig(store.url))
  const application = {
    manifest: MANIFEST,
    runtimeConfigFile,
    variables: { comfyui_url: comfyui.url, catalog_ttl_ms: '600000' },
  }
  const start = () => serve({ workers: 1, application })
  const hosts = [await start()]
  const shot = CLIENTS.plain('tools/call', { name: 'echo', arguments: { message: 'Hello' } })
  const { seconds, onCase } = options
  try {
    await warmUp({ hosts, store }, shot)
    const sharedCall = await calibrate({ hosts, store }, shot, shared(1, 1), seconds)
    await compare({ hosts, store }, shot, sharedCall, shared(1, 1), seconds, (one) =>
      onCase({ ...one, name: `1 host, one store, ${one.name}` }),
    )
    hosts.push(await start(), await start())
    await warmUp({ hosts: hosts.slice(1), store }, shot)
    await compare({ hosts, store }, shot, sharedCall, shared(3, 1), seconds, (one) =>
      onCase({ ...one, name: `3 hosts, one store, ${one.name}` }),
    )
    return { sharedCall, ...(await measureJobs({ hosts, store }, shared(3, 1), options)) }
  } finally {
    await Promise.all(hosts.map((host) => host.close()))
    await Promise.all([store.close(), comfyui.close()])
    await rm(folder, { recursive: true, force: true })
  }
}

/** Seconds of load that a host needs until its code is as fast as it gets. */
const WARM_UP_SECONDS = 3

async function warmUp({ hosts, store }: Subjects, shot: Shot): Promise<void> {
  for (const host of hosts) {
    const sender = createSender(host.url)
    await sender.send(CLIENTS.plain('tools/list', {}))
    sender.close()
    await closedLoop({ hosts: [host], store }, shot, 8, WARM_UP_SECONDS)
  }
}

/** Four connections show the work of a request, one shows what it waits for. */
async function calibrate(
  subjects: Subjects,
  shot: Shot,
  options: DeploymentOptions,
  seconds: number,
): Promise<Demands> {
  const { demands } = await closedLoop(subjects, shot, 4, seconds)
  const alone = await closedLoop(subjects, shot, 1, seconds)
  const closed = { demands: alone.demands, connections: 1 }
  const { p50 } = simulate(options, { closed }, SIMULATED_MS)
  return { ...demands, waitMs: Math.max(0, alone.meanMs - p50) }
}

async function compare(
  subjects: Subjects,
  shot: Shot,
  demands: Demands,
  options: DeploymentOptions,
  seconds: number,
  onCase: CaseOptions['onCase'],
): Promise<void> {
  for (const connections of [1, 4, 16, 64]) {
    const real = await closedLoop(subjects, shot, connections, seconds)
    const predicted = simulate(options, { closed: { demands, connections } }, SIMULATED_MS)
    for (const { unit, of } of COMPARED) {
      onCase({
        name: `${connections} connection${connections > 1 ? 's' : ''}`,
        unit,
        measured: of(real),
        predicted: of(predicted),
      })
    }
  }
}

const COMPARED: { unit: string; of: (result: Outcome | Measured) => number }[] = [
  { unit: 'requests/s', of: ({ perSecond }) => perSecond },
  { unit: 'p50 ms', of: ({ p50 }) => p50 },
]
