import { expect, test } from 'vitest'
import { MountedFiles } from '../files/mounted-files.ts'
import { encodeU32 } from '../wasm/binary.ts'
import { rewriteModule } from '../wasm/rewrite-module.ts'
import { Component, type ComponentOptions } from './loaded-component.ts'
import { type GuestInstance, Instance } from './instance.ts'
import type { HttpResponse } from '../http/messages.ts'
import { Pipe } from '../http/pipe.ts'
import type { ComponentServices, GuestRequest } from './services.ts'

const section = (id: number, ...body: number[]) => [id, ...encodeU32(body.length), ...body]
const name = (text: string) => [text.length, ...Buffer.from(text)]

/** A guest whose request handler is `code`; it imports nothing but dropping a response-outparam. */
function guestWith(...code: number[]): Uint8Array {
  const i32 = 0x7f
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 3, 0x60, 2, i32, i32, 0, 0x60, 4, i32, i32, i32, i32, 1, i32, 0x60, 1, i32, 0),
    ...section(
      2,
      ...[1, ...name('wasi:http/types@0.2.10'), ...name('[resource-drop]response-outparam'), 0, 2],
    ),
    ...section(3, 2, 0, 1),
    ...section(5, 1, 0, 1),
    ...section(6, 1, i32, 1, 0x41, 0, 0x0b),
    ...section(
      7,
      ...[3, ...name('memory'), 2, 0, ...name('cabi_realloc'), 0, 2],
      ...[...name('wasi:http/incoming-handler@0.2.10#handle'), 0, 1],
    ),
    ...section(10, 2, code.length + 2, 0, ...code, 0x0b, 4, 0, 0x41, 0, 0x0b),
  ])
}

const services: ComponentServices = {
  component: 'guest',
  environment: {},
  outbound: { send: () => Promise.reject(new Error('not here')) },
  files: new MountedFiles({ folder: '/', files: [], excludeFiles: [] }),
  openStore: () => {
    throw new Error('not here')
  },
  variable: () => '',
  log: () => {},
}

function load(guest: Uint8Array, resettable = true, limits: Partial<ComponentOptions> = {}) {
  const errors: string[] = []
  const { bytes } = rewriteModule(guest, 1024 * 1024)
  const module = new WebAssembly.Module(bytes as Uint8Array<ArrayBuffer>)
  const program = { module, resettable, image: undefined }
  const component = new Component({
    create: () => new Instance(program, services),
    maxInstances: 10,
    abandonedMs: 1000,
    onError: (message) => errors.push(message),
    ...limits,
  })
  return { component, errors }
}

const request = (): GuestRequest => ({
  method: 'GET',
  scheme: 'http',
  authority: 'localhost',
  path: '/',
  headers: [],
  body: Pipe.empty(),
  depth: 0,
})

const UNREACHABLE = [0x00]
const NOTHING: number[] = []
const DROP_OUTPARAM = [0x20, 1, 0x10, 0]
const DROP_UNKNOWN_HANDLE = [0x41, 0xe3, 0x00, 0x10, 0]

test.each([
  ['a trap', UNREACHABLE, /unreachable/],
  ['an end without a response', NOTHING, /without a response/],
  ['a dropped response-outparam', DROP_OUTPARAM, /without a response/],
  ['a handle it does not have', DROP_UNKNOWN_HANDLE, /handle 99 is not a ResponseOutparam/],
])('%s is a 500 with an empty body, each time', async (_, code, message) => {
  for (const resettable of [true, false]) {
    const { component, errors } = load(guestWith(...code), resettable)
    for (let i = 1; i <= 3; i++) {
      const { status, body } = await component.handle(request())
      expect([status, body.ended, body.queued]).toEqual([500, true, 0])
      expect(errors).toHaveLength(i)
      expect(errors.at(-1)).toMatch(message)
    }
    expect(component.running).toBe(0)
  }
})

/** Answers with events that do not end. */
class Following implements GuestInstance {
  readonly memoryBytes = 0
  readonly wasAbandoned = () => true
  abandon(): void {}
  run(_: GuestRequest, respond: (response: HttpResponse) => void): Promise<boolean> {
    respond({ status: 200, headers: [['content-type', 'text/event-stream']], body: new Pipe() })
    return new Promise(() => {})
  }
}

test.each([
  ['are not counted beside the components', true, {}, true],
  ['are counted in a sandbox', false, {}, false],
  ['of another component are counted', true, { depth: 1 }, false],
  ['that sent a body are counted', true, { method: 'POST' }, false],
])('those who follow %s', async (_, countsNoFollowers, more, isServed) => {
  const component = new Component({
    create: () => new Following(),
    maxInstances: 1,
    abandonedMs: 1000,
    onError: () => {},
    countsNoFollowers,
  })
  expect((await component.handle({ ...request(), ...more })).status).toBe(200)
  const next = component.handle(request()).then(
    () => true,
    () => false,
  )
  expect(await next).toBe(isServed)
  component.close()
})

test('calls of other components leave instances to requests from outside', async () => {
  const limits = { maxInstances: 1, maxCalledInstances: 0 }
  const { component } = load(guestWith(...UNREACHABLE), true, limits)
  await expect(component.handle({ ...request(), depth: 1 })).rejects.toMatchObject({
    code: 'connection-limit-reached',
  })
  expect((await component.handle(request())).status).toBe(500)
})
