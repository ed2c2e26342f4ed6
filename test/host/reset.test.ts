// The same as isolation.test.ts from the other side: what a reset leaves in the memory of an instance.
import { resolve } from 'node:path'
import { loadManifest } from 'ftl-host'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Instance, takeImage, type Program } from '../../host/src/instance/instance.ts'
import { Pipe } from '../../host/src/http/pipe.ts'
import type { ComponentServices, GuestRequest } from '../../host/src/instance/services.ts'
import { prepare } from '../../host/src/prepare/prepare.ts'
import { HIDDEN, VISIBLE } from '../fixtures/hostile/pollute.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { CACHE_DIR, sleep } from './fixture.ts'

const notHere = () => {
  throw new Error('not here')
}
const services: ComponentServices = {
  component: 'hostile',
  environment: {},
  outbound: { send: () => Promise.reject(new Error('not here')) },
  files: { empty: true, stat: notHere, list: notHere, open: notHere },
  openStore: notHere,
  variable: notHere,
  log: () => {},
}

let program: Program
let image: Uint8Array
let memory: WebAssembly.Memory
let globals: WebAssembly.Global[]
let instance: Instance

beforeAll(async () => {
  const manifest = await loadManifest(MANIFESTS.hostile)
  const file = manifest.components.get('hostile')?.source
  const source = resolve(manifest.folder, typeof file === 'string' ? file : '')
  const memoryLimit = 128 * 1024 * 1024
  const options = { component: 'hostile', source, cacheDir: CACHE_DIR, memoryLimit }
  program = (await prepare(options)) as Program
  takeImage(program)
  image = Uint8Array.from(program.image ?? [])
  // What the instance keeps to itself.
  const { Instance: Original } = WebAssembly
  const made = vi.spyOn(WebAssembly, 'Instance').mockImplementation(function (...args) {
    return new Original(...args)
  })
  instance = new Instance(program, services)
  const [result] = made.mock.results
  made.mockRestore()
  const exported = Object.values((result?.value as WebAssembly.Instance).exports)
  memory = exported.find((value) => value instanceof WebAssembly.Memory) as WebAssembly.Memory
  globals = exported.filter((value) => value instanceof WebAssembly.Global)
})
afterAll(() => vi.restoreAllMocks())

async function run(query: string): Promise<string> {
  const request: GuestRequest = {
    method: 'GET',
    scheme: 'http',
    authority: 'hostile',
    headers: [],
    depth: 0,
    path: `/hostile/?${query}`,
    body: Pipe.empty(),
  }
  let text = ''
  let read: Promise<void> | undefined
  await instance.run(request, ({ body }) => {
    read = (async () => {
      for (let chunk = body.read(1e6); chunk !== undefined; chunk = body.read(1e6)) {
        text += Buffer.from(chunk).toString()
        if (chunk.length === 0) await sleep(1)
      }
    })()
  })
  await read
  return text
}

/** Places where the memory is not what it was when the instance was made. */
function differences(): number[] {
  const now = Buffer.from(memory.buffer)
  const places: number[] = []
  for (let at = 0; at < now.length; at += 4096) {
    const wanted = at < image.length ? image.subarray(at, at + 4096) : new Uint8Array(4096)
    if (Buffer.compare(now.subarray(at, at + 4096), wanted) !== 0) places.push(at)
  }
  return places
}

test.each([...Object.keys(VISIBLE), ...Object.keys(HIDDEN)])(
  'every byte and every global is as it was after: %s',
  async (kind) => {
    const before = globals.map((global) => global.value as unknown)
    expect(differences()).toEqual([])
    expect(await run(`leave=${encodeURIComponent(kind)}`)).toMatch(/^1 0 0 true /)
    expect(differences().length).toBeGreaterThan(10)
    instance.reset?.()
    expect(differences()).toEqual([])
    expect(globals.map((global) => global.value as unknown)).toEqual(before)
  },
)

test('the instance was made once and grew', () => {
  expect(program.resettable).toBe(true)
  expect(memory.buffer.byteLength).toBeGreaterThan(image.length + 8 * 1024 * 1024)
})
