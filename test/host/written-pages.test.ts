/**
 * How many pages of its memory a request writes to. A host pays for each: Spin with a page fault and a copy, this one
 * with a copy when it resets the instance. So what a request allocates lies close together (`engine/src/wipe.rs`).
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createInstance } from '../../host/src/generic/generic-instance.ts'
import { Pipe } from '../../host/src/http/pipe.ts'
import { Component } from '../../host/src/instance/loaded-component.ts'
import type { Program } from '../../host/src/instance/instance.ts'
import { MemoryMarks } from '../../host/src/instance/memory-marks.ts'
import type { ComponentServices } from '../../host/src/instance/services.ts'
import { prepare } from '../../host/src/prepare/prepare.ts'
import { VariableError } from '../../host/src/variables/variable-error.ts'
import { MANIFESTS } from '../support/manifests.ts'

const PAGE = 4096
const DIST = join(resolve(MANIFESTS.application, '..'), 'dist')

// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the object it belongs to
const { restore } = MemoryMarks.prototype

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-pages-'))
})
afterAll(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true, force: true })
})

const refuse = () => {
  throw new Error('not here')
}

const services: ComponentServices = {
  component: 'guest',
  environment: {},
  outbound: { send: refuse },
  files: { empty: true, stat: refuse, list: refuse, open: refuse },
  openStore: refuse,
  variable: (name) => {
    throw new VariableError('undefined', name)
  },
  log: () => {},
}

/** Bytes that an instance had changed when it was reset, by page. */
function changedIn(memory: Uint8Array, image: Uint8Array): number[] {
  const first = Buffer.alloc(memory.length)
  first.set(image)
  const pages: number[] = []
  for (let page = 0; page < memory.length / PAGE; page++) {
    const [from, to] = [page * PAGE, (page + 1) * PAGE]
    if (first.compare(memory, from, to, from, to) !== 0) pages.push(page)
  }
  return pages
}

function pipeOf(text: string): Pipe {
  const pipe = new Pipe()
  pipe.write(Buffer.from(text))
  pipe.end()
  return pipe
}

/** The pages that the second of two equal requests has changed, and the status of its answer. */
async function pagesOf(name: string, path: string, body: string) {
  const source = join(DIST, `${name}.wasm`)
  const options = { component: name, source, cacheDir: folder, memoryLimit: 128 * 1024 * 1024 }
  const program = (await prepare(options)) as Program
  let pages: number[] = []
  vi.spyOn(MemoryMarks.prototype, 'restore').mockImplementation(function (
    this: MemoryMarks,
    memory,
    image,
  ) {
    pages = changedIn(memory, image.bytes)
    restore.call(this, memory, image)
  })
  const component = new Component({
    create: () => createInstance(program, services),
    maxInstances: 1,
    abandonedMs: 0,
    onError: () => {},
  })
  let status = 0
  for (let request = 0; request < 2; request++) {
    const response = await component.handle({
      method: 'POST',
      scheme: 'http',
      authority: '127.0.0.1:3000',
      path,
      headers: [
        ['content-type', 'application/json'],
        ['content-length', String(body.length)],
      ],
      body: pipeOf(body),
      depth: 0,
    })
    status = response.status
    while (component.running > 0) await setImmediate()
    await setImmediate()
  }
  component.close()
  return { status, pages }
}

describe('a request writes to few pages', () => {
  it.each([
    ['mcp-gateway', '/mcp', '{"jsonrpc":"2.0","id":1,"method":"ping"}', 48],
    ['echo', '/echo', '{"message":"Hello"}', 48],
  ])('%s', async (name, path, body, most) => {
    const { status, pages } = await pagesOf(name, path, body)
    expect(status).toBe(200)
    expect(pages.length).toBeLessThanOrEqual(most)
  })
})
