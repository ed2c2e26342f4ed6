/** A built component that runs beside a test, in the world of that test. */
import { fileURLToPath } from 'node:url'
import { resolve } from 'node:path'
import type { TestComponentOptions } from '../component.ts'
import type { TestPlatform } from '../platform.ts'
import type { BuiltOptions } from './built-component.ts'
import type { Printed } from './printed.ts'
import { openProxy, type Proxy } from './proxy.ts'
import { MirroredStores, toBase64 } from './stores.ts'
import { testProcess, type TestProcess } from './test-process.ts'

/** Components that run at once; the one that was used longest ago is stopped, and started again when it is called. */
const MOST_RUNNING = 4

/** Milliseconds after a response in which work that continues is waited for, so that what it prints is in order. */
const AFTERWARDS_MS = 100

/** Milliseconds between two questions whether the work after a response has ended. */
const SETTLE_MS = 1000

export interface SessionParts {
  /** The component's id while it runs. */
  name: string
  how: BuiltOptions
  /** Names of the tools that the test has. */
  tools: readonly string[]
  options: TestComponentOptions
  platform: TestPlatform
  printed: Printed
}

interface Live {
  process: TestProcess
  key: string
  url: string
  proxy: Proxy
}

interface State {
  stores: Record<string, Record<string, string>>
  drawn: number
  running: number
}

const running = new Set<BuiltSession>()

export class BuiltSession {
  readonly #parts: SessionParts
  readonly #stores: MirroredStores
  #live: Promise<Live> | undefined
  #wasm: string | undefined
  #drawn = 0
  #calls = 0
  /** Errors of the test's network that the component could not see. */
  #rejected: unknown[] = []

  constructor(parts: SessionParts) {
    this.#parts = parts
    const { stores = {} } = parts.options
    this.#stores = new MirroredStores(parts.platform, ['default', ...Object.keys(stores)])
  }

  async ready(): Promise<void> {
    await this.#open()
  }

  /** Brings the state of the test to the component before a call, and what the component has changed back. */
  async around<T>(work: () => Promise<T>): Promise<T> {
    this.#calls++
    try {
      const live = await this.#open()
      const now = this.#parts.platform.now()
      const { key } = live
      await live.process.ask('set', { key, now, stores: await this.#stores.changes() })
      this.#rejected = []
      let done: T
      try {
        done = await work()
      } catch (error) {
        await this.#look(live, AFTERWARDS_MS).catch(() => undefined)
        throw this.#explained(error)
      }
      await this.#look(live, AFTERWARDS_MS)
      return done
    } finally {
      this.#calls--
    }
  }

  /** A request of the component contract. */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const { url } = await this.#open()
    const headers = new Headers(init.headers)
    headers.set('host', `${this.#parts.name}.spin.internal`)
    return fetch(`${url}${path}`, { ...init, headers, redirect: 'manual' })
  }

  /** A request that the component sends to itself. */
  async pass(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    const body = request.body ? await request.arrayBuffer() : undefined
    const { method, headers } = request
    return this.send(`${pathname}${search}`, { method, headers, ...(body && { body }) })
  }

  async settled(): Promise<void> {
    const live = await this.#open()
    while ((await this.#look(live, SETTLE_MS)) > 0);
    await this.#parts.platform.settled()
  }

  async close(): Promise<void> {
    const opened = this.#live
    this.#live = undefined
    running.delete(this)
    const live = await opened?.catch(() => undefined)
    if (!live) return
    live.proxy.close()
    await live.process.ask('stop', { key: live.key }).catch(() => undefined)
    live.process.listen(live.key, undefined)
  }

  get isIdle(): boolean {
    return this.#calls === 0
  }

  #open(): Promise<Live> {
    // The last one was used last.
    running.delete(this)
    running.add(this)
    this.#live ??= this.#start().catch((error: unknown) => {
      this.#live = undefined
      throw error
    })
    return this.#live
  }

  async #start(): Promise<Live> {
    const { name, options, platform, printed } = this.#parts
    await stopOthers(this)
    const process = testProcess()
    const wasm = (this.#wasm ??= await this.#build(process))
    const proxy = await openProxy(
      (input, init) => platform.fetch(input, init),
      (error) => this.#rejected.push(error),
    )
    const { variables = {}, files = {} } = options
    const world = {
      name,
      variables,
      files: Object.fromEntries(
        Object.entries(files).map(([path, content]) => [path, toBase64(content)]),
      ),
      stores: await this.#stores.all(),
      now: platform.now(),
      drawn: this.#drawn,
      proxy: { host: proxy.host, port: proxy.port },
    }
    try {
      const { key, url } = await process.ask<{ key: string; url: string }>('start', { wasm, world })
      process.listen(key, (stream, line) => printed.add(stream, line))
      return { process, key, url, proxy }
    } catch (error) {
      proxy.close()
      throw error
    }
  }

  async #build(runner: TestProcess): Promise<string> {
    const { how, tools } = this.#parts
    const { component, entry } = how
    const folder = process.cwd()
    const { wasm } = await runner.ask<{ wasm: string }>('build', {
      folder,
      tools,
      ...(component !== undefined && { component }),
      ...(entry !== undefined && { entry: resolve(folder, pathOf(entry)) }),
    })
    return wasm
  }

  /** @returns how many requests still run. */
  async #look({ process, key }: Live, waitMs: number): Promise<number> {
    const state = await process.ask<State>('state', { key, waitMs })
    this.#drawn = state.drawn
    await this.#stores.take(state.stores)
    return state.running
  }

  /** A component sees only that a server did not answer; the author of the test must see why. */
  #explained(error: unknown): unknown {
    const [first] = this.#rejected
    if (first === undefined || !(error instanceof Error)) return error
    const why = first instanceof Error ? first.message : JSON.stringify(first)
    error.message += `\nA request of the component failed in the test: ${why}`
    return error
  }
}

async function stopOthers(needed: BuiltSession): Promise<void> {
  const idle = [...running].filter((session) => session !== needed && session.isIdle)
  const surplus = running.size - MOST_RUNNING
  await Promise.all(idle.slice(0, Math.max(0, surplus)).map((session) => session.close()))
}

function pathOf(entry: URL | string): string {
  const text = String(entry)
  return text.startsWith('file:') ? fileURLToPath(text) : text
}
