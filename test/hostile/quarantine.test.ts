// A component that takes its thread again and again, beside one whose requests cannot be repeated.
import { afterEach, describe, expect, test } from 'vitest'
import type { HostOptions, WorkerLost } from 'ftl-host'
import {
  type HostileComponent,
  type RunningApplication,
  startHostile,
} from './support/application.ts'
import { attack } from './support/attack.ts'
import { built, guestThat } from './support/wat.ts'

const LOOPER_ADDRESS = encodeURIComponent('http://looper.spin.internal/')

let host: RunningApplication
let losses: WorkerLost[]
afterEach(() => host.close())

/** One worker: a thread that is lost is everybody's. */
async function start(
  options: Partial<HostOptions> = {},
  looper: Partial<HostileComponent> = {},
  more: Readonly<Record<string, HostileComponent>> = {},
): Promise<void> {
  losses = []
  host = await startHostile(
    {
      calm: {
        wasm: await built('test/host/probe'),
        route: '/...',
        allowedHosts: ['http://*.spin.internal'],
        stores: ['default'],
      },
      looper: { wasm: await guestThat('(loop $again (br $again))'), ...looper },
      ...more,
    },
    { workers: 1, maxBlockingMs: 300, onWorkerLost: (event) => losses.push(event), ...options },
  )
}

const statusOf = async (path: string) => (await fetch(host.url + path)).status
const pause = (milliseconds: number) => new Promise((wake) => setTimeout(wake, milliseconds))

/** A request that has changed something, so that it cannot be repeated, while `attackers` take threads. */
async function statusBeside(key: string, attackers: () => Promise<unknown>): Promise<number> {
  const held = statusOf(`/wait?key=${key}&ms=2500`)
  await pause(300)
  await attackers()
  return held
}

describe('a component that takes its thread again and again', () => {
  attack('a component loops for ever, in each of its requests', async () => {
    await start()
    expect(await statusOf('/looper')).toBe(500)
    await expect.poll(() => losses.length).toBe(1)
    expect(losses[0]).toMatchObject({ component: 'looper', quarantined: true })
    const held = await statusBeside('a', async () => {
      for (let nth = 0; nth < 3; nth++) expect(await statusOf('/looper')).toBe(500)
    })
    expect(held).toBe(200)
    expect(losses).toHaveLength(4)
    return 'the first time it takes a thread of others, then its own'
  })

  attack('a component loops for ever when another calls it', async () => {
    await start()
    const call = () => statusOf(`/call?to=${LOOPER_ADDRESS}`)
    // The caller passes on the 500 that it got.
    expect(await call()).toBe(500)
    await expect.poll(() => losses.length).toBe(1)
    expect(await statusBeside('b', call)).toBe(200)
    await expect.poll(() => losses.length).toBe(2)
    // The call alone has failed, on the worker of the quarantine.
    expect(losses[1]).toMatchObject({ component: 'looper', repeated: 0, failed: 1 })
    expect(host.errors).toEqual([])
    return 'the call is served by the worker of the quarantine'
  })
})

describe('the quarantine', () => {
  test('ends after its time, and then the component runs beside others that compute', async () => {
    await start({ quarantineMs: 1000 })
    await statusOf('/looper')
    await pause(1300)
    const held = await statusBeside('c', () => statusOf('/looper'))
    expect(held).toBe(200)
  })

  test.each([
    [
      'is switched off: a component that computes runs apart all the same',
      { quarantineMs: 0 },
      {},
      200,
    ],
    ['takes no gateway', {}, { variables: { tool_components: 'calm' } }, 500],
  ])('%s', async (_, options, looper, held) => {
    await start(options, looper)
    await statusOf('/looper')
    expect(await statusBeside('d', () => statusOf('/looper'))).toBe(held)
    await expect.poll(() => losses.length).toBe(2)
    expect(losses.map(({ quarantined }) => quarantined)).toEqual([false, false])
  })

  test('serves as many calls of a component at once as all workers do', async () => {
    const tool = { wasm: await built('test/host/probe'), route: '/users/...' }
    await start({ workers: 4, maxInstances: 8 }, {}, { tool })
    // From now on the tool runs in quarantine.
    expect(await statusOf('/users/ada/spin')).toBe(500)
    await expect.poll(() => losses.length).toBe(1)
    const call = `/call?to=${encodeURIComponent('http://tool.spin.internal/wait?ms=1000')}`
    const paths = Array.from({ length: 4 }, () => ['/users/ada/wait?ms=1000', call]).flat()
    expect(await Promise.all(paths.map(statusOf))).toEqual(paths.map(() => 200))
  })

  test('does nothing twice for a caller whose own thread is taken meanwhile', async () => {
    await start({}, {}, { tool: { wasm: await built('test/host/probe'), stores: ['default'] } })
    const tool = (path: string) => encodeURIComponent(`http://tool.spin.internal${path}`)
    // From now on the tool runs in quarantine.
    expect(await statusOf(`/call?to=${tool('/spin')}`)).toBe(500)
    await expect.poll(() => losses.length).toBe(1)
    const call = statusOf(`/call?to=${tool('/note-later?key=later&ms=1500')}`)
    await pause(700)
    expect(await statusOf('/looper')).toBe(500)
    expect(await call).toBe(200)
    // The first attempt would have written by now.
    await pause(1000)
    const stored = await fetch(`${host.url}/call?to=${tool('/kv?key=later')}`)
    expect(await stored.json()).toMatchObject({ value: 'once ' })
  })

  test('does not repeat what its caller has done', async () => {
    await start()
    await statusOf('/looper')
    const { status } = await fetch(`${host.url}/call?key=once&to=${LOOPER_ADDRESS}`)
    expect(status).toBe(500)
    const { value } = (await (await fetch(`${host.url}/kv?key=once`)).json()) as { value: string }
    expect(value).toBe('once ')
  })
})
