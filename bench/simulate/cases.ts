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
import { calibrate, type Needs } from './calibrate.ts'
import type { Demands, DeploymentOptions } from './deployment.ts'
import { closedLoop, type Measured, type Sample, type Subjects, summarize } from './measured.ts'
import { measureJobs } from './measured-jobs.ts'
import { type Outcome, simulate } from './traffic.ts'

/** What a request needs, as measured; the whole of the simulation's input. */
export interface Figures {
  call: Needs
  /** With a store that hosts share. */
  sharedCall?: Needs
  read?: Demands
  poll?: Demands
}

export interface Case {
  name: string
  /** Such as requests a second. */
  unit: string
  measured: number
  predicted: number
  /** The figures were taken from this load, so that its error says nothing. */
  isCalibration: boolean
}

export interface CaseOptions {
  /** Seconds of measurement for each load. */
  seconds: number
  onCase: (one: Case) => void
  onProgress: (text: string) => void
}

/** One deployment under several loads. */
interface Setting {
  name: string
  subjects: Subjects
  options: DeploymentOptions
}

const CORES = availableParallelism()
const SIMULATED_MS = 20_000
const CONNECTIONS = [1, 4, 16, 64] as const
/** The fewest connections that keep all cores busy. */
const CROWDED = 4
/** Each load is measured this many times, in turns: a shared machine is slower in one minute than in the next. */
const TURNS = 8

const shared = (hosts: number, workers: number): DeploymentOptions => ({
  hosts,
  workers,
  cores: CORES,
  isShared: true,
})

/** Calls on one host, with one worker and with one for each of two cores. */
export async function calls(options: CaseOptions): Promise<Needs> {
  const [one, two] = await Promise.all([serve({ workers: 1 }), serve({ workers: 2 })])
  const settings: [Setting, Setting] = [
    { name: '1 worker', subjects: { hosts: [one] }, options: shared(1, 1) },
    { name: '2 workers', subjects: { hosts: [two] }, options: shared(1, 2) },
  ]
  try {
    await warmUp({ hosts: [one, two] }, SHOTS.gateway)
    return await compare(settings, SHOTS.gateway, options)
  } finally {
    await Promise.all([one.close(), two.close()])
  }
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
  const hosts = await Promise.all([start(), start(), start()])
  const shot = CLIENTS.plain('tools/call', { name: 'echo', arguments: { message: 'Hello' } })
  const settings: [Setting, Setting] = [
    {
      name: '1 host, one store',
      subjects: { hosts: hosts.slice(0, 1), store },
      options: shared(1, 1),
    },
    { name: '3 hosts, one store', subjects: { hosts, store }, options: shared(3, 1) },
  ]
  try {
    await warmUp({ hosts, store }, shot)
    const sharedCall = await compare(settings, shot, options)
    const many = { ...shared(3, 1), crowding: sharedCall.crowding }
    return { sharedCall, ...(await measureJobs({ hosts, store }, many, options)) }
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

/** The small setting shows what a request needs alone; the large one what it needs on busy cores. All else is predicted. */
async function compare(
  [small, large]: [Setting, Setting],
  shot: Shot,
  { seconds, onCase, onProgress }: CaseOptions,
): Promise<Needs> {
  const loads = [small, large].flatMap((setting) =>
    CONNECTIONS.map((connections) => ({ setting, connections, samples: [] as Sample[] })),
  )
  for (let turn = 1; turn <= TURNS; turn++) {
    onProgress(`${small.name}; ${large.name}: turn ${turn} of ${TURNS}`)
    for (const { setting, connections, samples } of loads) {
      samples.push(await closedLoop(setting.subjects, shot, connections, seconds / TURNS))
    }
  }
  const measured = (setting: Setting, connections: number): Measured =>
    summarize(
      loads.find((load) => load.setting === setting && load.connections === connections)?.samples ??
        [],
    )
  const needs = calibrate(measured(small, 1), measured(large, CROWDED), small.options)
  const { demands, crowding } = needs
  for (const { setting, connections } of loads) {
    const real = measured(setting, connections)
    const options = { ...setting.options, crowding }
    const predicted = simulate(options, { closed: { demands, connections } }, SIMULATED_MS)
    for (const { unit, of } of COMPARED) {
      onCase({
        name: `${setting.name}, ${connections} connection${connections > 1 ? 's' : ''}`,
        unit,
        measured: of(real),
        predicted: of(predicted),
        isCalibration: setting === small ? connections === 1 : connections === CROWDED,
      })
    }
  }
  return needs
}

const COMPARED: { unit: string; of: (result: Outcome | Measured) => number }[] = [
  { unit: 'requests/s', of: ({ perSecond }) => perSecond },
  { unit: 'p50 ms', of: ({ p50 }) => p50 },
]
