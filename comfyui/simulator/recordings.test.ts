/**
 * Holds the simulator to what two real ComfyUI servers answered. The same suite runs against a real server:
 * set COMFYUI_URL; what needs the test node SlowImage is left out when the server does not have it.
 */
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { decode } from 'fast-png'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { differences } from './compare-recording.ts'
import { type Simulator, startSimulator } from './index.ts'
import { type RecordedEntry, type Recording, Replay } from './replay.ts'
import type { ComfyVersion } from './version.ts'

/** Exchanges of each recording; a recording that shrinks must not pass for one that fits. */
const RECORDED = 93

/** The only exchanges of which not everything is compared. */
const LIST_ONLY: Record<string, string> = {
  'models checkpoints': 'the recorded servers had no models; the simulator pretends to have one',
}

const NEEDS_TEST_NODE =
  /slow|running|execution error|cancel|interrupt|pending|jobs list|history list/

const real = process.env.COMFYUI_URL
const { hasTestNode, version: realVersion } = real
  ? await inspect(real)
  : { hasTestNode: true, version: '' }
const wanted: ComfyVersion[] = real
  ? [/^0\.3\./.test(realVersion) ? '0.3.64' : '0.33.0']
  : ['0.33.0', '0.3.64']

describe.each(wanted)('recordings of ComfyUI %s', (version) => {
  const { entries } = JSON.parse(
    readFileSync(
      new URL(`../../test/fixtures/recordings/${version}.json`, import.meta.url),
      'utf8',
    ),
  ) as Recording
  let simulator: Simulator | undefined
  let replay: Replay

  beforeAll(async () => {
    simulator = real ? undefined : await startSimulator({ port: 0, version })
    replay = new Replay(real ?? simulator?.url ?? '', entries)
  })
  afterAll(async () => {
    replay.close()
    await simulator?.close()
  })

  const options = { used: real !== undefined }

  it('has every exchange, and excuses none that is not there', () => {
    expect(entries).toHaveLength(RECORDED)
    const names = entries.map(({ name }) => name)
    expect(new Set(names).size).toBe(RECORDED)
    expect(names).toEqual(expect.arrayContaining(Object.keys(LIST_ONLY)))
  })

  it.for(entries)('$name', async (entry, { skip }) => {
    skip(!hasTestNode && NEEDS_TEST_NODE.test(entry.name), 'the server lacks the node SlowImage')
    if (entry.messages) {
      const recorded = replay.recordedFrames(entry.messages)
      const heard = await replay.frames(entry.clientId ?? '', recorded.length, 12_000)
      expect(differences(inOrder(recorded), inOrder(heard), options)).toEqual([])
      return
    }
    await rightMoment(entry, replay)
    let found = await compare(entry, replay, options)
    // Only a look at a job that is about to end may be repeated.
    for (
      let look = 0;
      found.length > 0 && look < 50 && entry.name === 'corrupt LoadImage: job';
      look++
    ) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      found = await compare(entry, replay, options)
    }
    expect(found).toEqual([])
  })
})

async function compare(
  { name, request, response }: RecordedEntry,
  replay: Replay,
  options: { used: boolean },
): Promise<string[]> {
  if (!request || !response) throw new Error('an entry without an exchange')
  const actual = await replay.send(request)
  const found: string[] = []
  if (actual.status !== response.status) {
    found.push(`status: recorded ${response.status}, got ${actual.status}`)
  }
  for (const header of ['content-type', 'content-disposition', 'accept-ranges', 'allow']) {
    if ((actual.headers.get(header) ?? undefined) !== response.headers[header]) {
      found.push(
        `${header}: recorded ${response.headers[header]}, got ${actual.headers.get(header)}`,
      )
    }
  }
  if (response.base64 !== undefined) {
    const recorded = Buffer.from(response.base64, 'base64')
    const isWebp = response.headers['content-type'] === 'image/webp'
    return [
      ...found,
      ...(await (isWebp ? compareWebp : comparePng)(recorded, await actual.bytes())),
    ]
  }
  const text = await actual.text()
  if (response.json === undefined) {
    return text === response.text ? found : [...found, `body: got ${text.slice(0, 200)}`]
  }
  const body = JSON.parse(text) as unknown
  if (name in LIST_ONLY) return Array.isArray(body) ? found : [...found, `body: got ${text}`]
  return [...found, ...differences(replay.translate(response.json), body, options)]
}

function comparePng(recorded: Uint8Array, actual: Uint8Array): string[] {
  const left = decode(recorded)
  const right = decode(actual)
  const found = differences([left.width, left.height], [right.width, right.height], { used: false })
  const wrong = left.data.findIndex((value, at) => Math.abs(value - (right.data[at] ?? -9)) > 1)
  if (wrong !== -1) found.push(`pixel data differ at byte ${wrong}`)
  const prompts = [left, right].map(({ text }) => JSON.parse(text?.prompt ?? 'null') as unknown)
  return [...found, ...differences(prompts[0], prompts[1], { used: false })]
}

/** Two encoders give nearly the same colours: by 2 of 255 in the mean. */
const MEAN_DIFFERENCE = 2

async function compareWebp(recorded: Uint8Array, actual: Uint8Array): Promise<string[]> {
  await initWebp(
    await WebAssembly.compile(
      readFileSync(createRequire(import.meta.url).resolve('@jsquash/webp/codec/dec/webp_dec.wasm')),
    ),
  )
  const [left, right] = [await decodeWebp(bufferOf(recorded)), await decodeWebp(bufferOf(actual))]
  const found = differences([left.width, left.height], [right.width, right.height], { used: false })
  const sum = left.data.reduce(
    (all, value, at) => all + Math.abs(value - (right.data[at] ?? -9)),
    0,
  )
  const mean = sum / left.data.length
  return mean <= MEAN_DIFFERENCE ? found : [...found, `colours differ by ${mean} in the mean`]
}

const bufferOf = (bytes: Uint8Array) => Uint8Array.from(bytes).buffer

// The recorder looked at running prompts in the middle of their run.
async function rightMoment({ name, response }: RecordedEntry, replay: Replay): Promise<void> {
  if (/^(?:running|cancel running|interrupt running)/.test(name)) {
    await new Promise((resolve) => setTimeout(resolve, name.startsWith('running') ? 50 : 300))
  }
  if (name === 'cancel a finished job' && response?.status === 200) {
    const queue = { method: 'GET', path: '/api/prompt' }
    const remaining = async () =>
      ((await (await replay.send(queue)).json()) as { exec_info: { queue_remaining: number } })
        .exec_info
    await expect.poll(remaining, { timeout: 5000 }).toEqual({ queue_remaining: 0 })
  }
}

// Nodes that do not depend on each other may run in any order: frames are compared as a set,
// save the first four and the last three, whose order is fixed.
function inOrder(frames: Record<string, unknown>[]): unknown {
  const types = frames.map(({ type, event }) => type ?? event)
  return {
    head: frames.slice(0, 4),
    tail: frames.slice(-3),
    types: types.includes('progress') ? types : [...types].sort(),
  }
}

async function inspect(url: string): Promise<{ hasTestNode: boolean; version: string }> {
  const get = async (path: string) => (await fetch(url + path)).json() as Promise<unknown>
  const stats = (await get('/api/system_stats')) as { system: { comfyui_version: string } }
  const node = (await get('/api/object_info/SlowImage')) as object
  return { hasTestNode: 'SlowImage' in node, version: stats.system.comfyui_version }
}
