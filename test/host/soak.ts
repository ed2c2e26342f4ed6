/** A mixed load that never lets up, and what became of each request. */
import { HIDDEN, VISIBLE } from '../fixtures/hostile/pollute.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { type MeasuredHost, startMeasured } from '../support/measured-host.ts'
import { CACHE_DIR, sleep } from './fixture.ts'
import { MEGABYTE, readSlowly } from './slow-reader.ts'

/** So few that one instance which is never given back shows at the end. */
const MAX_INSTANCES = 32

/** Small beside the default, and still long for a machine with other things to do. */
const MAX_BLOCKING_MS = 1000

export function startSoakHost(stateDir: string): Promise<MeasuredHost> {
  return startMeasured({
    manifest: MANIFESTS.hostile,
    cacheDir: CACHE_DIR,
    stateDir,
    workers: 2,
    maxInstances: MAX_INSTANCES,
    maxBlockingMs: MAX_BLOCKING_MS,
    abandonedMs: 200,
  })
}

/** Counts of one kind of request. */
export interface Tally {
  kind: string
  /** Ended as it should: answered right, or cut off because it had to be. */
  right: number
  /** Answered 500, or broken off, as is allowed only where a worker was lost under it. */
  failed: number
  /** Each is a mistake. */
  wrong: string[]
}

/** The host gave the request up, and said so. */
class Failed extends Error {}

type Kind = (url: string, nth: number) => Promise<void>

const POLLUTIONS = [...Object.keys(VISIBLE), ...Object.keys(HIDDEN)]

async function ask(url: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) })
  if (response.status !== 500) return response
  await response.text()
  throw new Failed('500')
}

function expectText(found: string, wanted: string): void {
  if (found !== wanted)
    throw new Error(`"${found.slice(0, 100)}" and not "${wanted.slice(0, 100)}"`)
}

/** Begins an answer and leaves, or is left alone, after a while. */
async function leave(url: string, afterMs: number): Promise<void> {
  let status: number
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(afterMs) })
    await response.arrayBuffer()
    ;({ status } = response)
  } catch {
    return
  }
  // Its thread was lost, as for each other kind.
  if (status === 500) throw new Failed('500')
  // The requests that were left before it still hold all instances of their component, which wait for a blocked thread.
  if (status === 503) return
  throw new Error(`came to an end with status ${status}`)
}

/** An answer of 500, or one that is broken off. */
async function failing(url: string): Promise<void> {
  const signal = AbortSignal.timeout(30_000)
  const answer = await fetch(url, { signal }).then(
    async (response) => ({
      status: response.status,
      text: response.status === 500 ? '' : await response.text().catch(() => ''),
    }),
    () => undefined,
  )
  // Refused while others hold all instances: it has not run yet.
  if (answer?.status === 503) return sleep(200).then(() => failing(url))
  expectText(answer?.text ?? '', '')
}

const KINDS: Readonly<Record<string, Kind>> = {
  'tools/call': async (url, nth) => {
    const params = { name: 'echo', arguments: { message: `call ${nth}` } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: nth, method: 'tools/call', params })
    const headers = { 'content-type': 'application/json' }
    const response = await ask(`${url}/mcp`, { method: 'POST', headers, body })
    const { result } = (await response.json()) as { result?: { content?: { text?: string }[] } }
    expectText(result?.content?.[0]?.text ?? 'nothing', `call ${nth}`)
  },
  'key-value': async (url, nth) => {
    const [key, body] = [nth % 50, `${nth} `.repeat(1 + (nth % 500))]
    const kept = await ask(`${url}/good/put?key=${key}`, { method: 'POST', body })
    expectText(await kept.text(), 'kept')
    expectText(await (await ask(`${url}/good/get?key=${key}`)).text(), body)
  },
  stream: async (url) => {
    await broken(readSlowly(url, { written: 2 * MEGABYTE }))
  },
  'stream, slow reader': async (url) => {
    await broken(readSlowly(url, { written: 3 * MEGABYTE, rate: 2 * MEGABYTE }))
  },
  'stream, client leaves': async (url) => {
    await broken(readSlowly(url, { written: 200 * MEGABYTE, read: MEGABYTE / 2 }))
  },
  'big body': async (url) => {
    const response = await ask(`${url}/good/count`, {
      method: 'POST',
      body: new Uint8Array(8 * MEGABYTE),
    })
    expectText(await response.text(), String(8 * MEGABYTE))
  },
  hostile: async (url, nth) => {
    const [one, other] = [
      POLLUTIONS[nth % POLLUTIONS.length],
      POLLUTIONS[(nth * 7) % POLLUTIONS.length],
    ]
    const query = new URLSearchParams([
      ['leave', one ?? ''],
      ['leave', other ?? ''],
    ])
    const text = await (await ask(`${url}/hostile/?${query.toString()}`)).text()
    if (!text.startsWith('1 0 0 true ')) throw new Error(text)
  },
  'hostile, fails': (url, nth) =>
    failing(`${url}/hostile/?end=${['throw', 'trap', 'recurse', 'greedy'][nth % 4]}`),
  'hostile, never ends': (url, nth) =>
    leave(
      `${url}/hostile/?leave=timers&end=${['hang', 'half', 'flood'][nth % 3]}`,
      50 + (nth % 100),
    ),
  'hostile, never yields': async (url) => {
    await failing(`${url}/hostile/?end=spin`)
    await sleep(10_000)
  },
}

/** A stream that breaks off has lost its worker, one that says something else is wrong. */
async function broken(read: Promise<unknown>): Promise<void> {
  try {
    await read
  } catch (error) {
    const { message } = error as Error
    if (message.startsWith('wrong') || message.startsWith('Parse')) throw error
    throw new Failed(message)
  }
}

/** What `fetch` says of an answer that has begun and is broken off. */
function isCut(error: unknown): boolean {
  return error instanceof TypeError && error.message === 'terminated'
}

/** Sends each kind again and again, one at a time, for so many seconds. */
export async function soak(url: string, seconds: number): Promise<Tally[]> {
  const end = performance.now() + seconds * 1000
  return Promise.all(
    Object.entries(KINDS).map(async ([kind, send]) => {
      const tally: Tally = { kind, right: 0, failed: 0, wrong: [] }
      for (let nth = 0; performance.now() < end; nth++) {
        try {
          await send(url, nth)
          tally.right++
        } catch (error) {
          if (error instanceof Failed || isCut(error)) tally.failed++
          else tally.wrong.push(`${nth}: ${String(error)}`)
        }
        // What is cheap would otherwise be all there is.
        await sleep(20)
      }
      return tally
    }),
  )
}

/** Whether every instance there may be can still serve. */
export async function allInstancesServe(url: string): Promise<boolean> {
  const held = Array.from({ length: MAX_INSTANCES - 2 }, async () => {
    const response = await fetch(`${url}/good/wait?ms=1000`)
    return (await response.text()) === 'waited'
  })
  return (await Promise.all(held)).every(Boolean)
}
