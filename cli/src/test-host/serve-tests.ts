/** The process beside a test that builds components and runs them. It ends when the test closes its standard input. */
import { createInterface } from 'node:readline'
import type { BuildEvent } from '../build/index.ts'
import { describeFailure } from '../terminal/failure.ts'
import { data } from '../terminal/terminal.ts'
import { visibleLines } from '../terminal/visible-text.ts'
import { findComponent, type FoundComponent, type ToolsOf } from './find-component.ts'
import { type Hosted, hostBuilt } from './hosted.ts'
import type { Ask, FromProcess, Requests, World } from './messages.ts'

export async function serveTests(): Promise<void> {
  const served = new ServedTests((message) => data(`${JSON.stringify(message)}\n`))
  for await (const line of createInterface({ input: process.stdin })) {
    if (line !== '') void served.answer(JSON.parse(line) as Ask)
  }
  await served.close()
  process.exit()
}

class ServedTests {
  readonly #send: (message: FromProcess) => void
  readonly #hosted = new Map<string, Hosted>()
  readonly #caches = new Map<string, string>()
  #keys = 0

  constructor(send: (message: FromProcess) => void) {
    this.#send = send
  }

  async answer({ id, ...request }: Ask): Promise<void> {
    try {
      this.#send({ type: 'answer', id, answer: await this.#do(request) })
    } catch (error) {
      const message = describeFailure(error, false).replace(
        /^ftl: |\n\(ftl --debug shows where\)$/g,
        '',
      )
      this.#send({ type: 'failed', id, message })
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#hosted.values()].map((hosted) => hosted.close()))
  }

  async #do(request: Omit<Ask, 'id'>): Promise<Requests[Ask['kind']]['answer']> {
    const { kind, ask } = request as Ask
    switch (kind) {
      case 'build': {
        const found = await findComponent(ask, (event) => this.#report(event), this.#toolsOf)
        this.#caches.set(found.wasm, found.cacheFolder)
        return { wasm: found.wasm, component: found.component }
      }
      case 'start':
        return this.#start(ask.wasm, ask.world)
      case 'set':
        await this.#get(ask.key).set(ask.now, ask.stores)
        return null
      case 'state':
        return this.#get(ask.key).state(ask.waitMs)
      case 'stop':
        await this.#hosted.get(ask.key)?.close()
        this.#hosted.delete(ask.key)
        return null
    }
  }

  async #start(wasm: string, world: World): Promise<{ key: string; url: string }> {
    const key = String(++this.#keys)
    const cache = this.#caches.get(wasm) ?? ''
    const hosted = await hostBuilt(wasm, world, cache, (stream, line) =>
      this.#send({ type: 'line', key, stream, line }),
    )
    this.#hosted.set(key, hosted)
    return { key, url: hosted.url }
  }

  #get(key: string): Hosted {
    const hosted = this.#hosted.get(key)
    if (!hosted) throw new Error('this component was stopped')
    return hosted
  }

  #report({ id, state, warning, milliseconds = 0 }: BuildEvent): void {
    if (state === 'building') this.#send({ type: 'progress', text: `building ${id} …` })
    else if (state === 'built') {
      const seconds = (milliseconds / 1000).toFixed(1)
      this.#send({ type: 'progress', text: `${id} built in ${seconds} s` })
    } else if (state === 'warning') {
      this.#send({ type: 'progress', text: visibleLines(`${id}: ${warning ?? ''}`) })
    }
  }

  readonly #toolsOf: ToolsOf = async ({ wasm, cacheFolder }: FoundComponent) => {
    const world: World = {
      ...{ name: 'test', variables: {}, files: {}, stores: { default: {} } },
      ...{ now: Date.now(), drawn: 0 },
      // Nothing listens there: a component is only asked what it publishes.
      proxy: { host: '127.0.0.1', port: 1 },
    }
    const hosted = await hostBuilt(wasm, world, cacheFolder, () => {})
    try {
      const response = await fetch(hosted.url)
      return namesIn(await response.json())
    } catch {
      return []
    } finally {
      await hosted.close()
    }
  }
}

/** An offer is one tool, a list of tools, or an object with lists. */
function namesIn(offer: unknown): string[] {
  if (typeof offer !== 'object' || offer === null) return []
  const { tools = [offer] } = offer as { tools?: unknown[] }
  const list: unknown[] = Array.isArray(offer) ? offer : tools
  return list.flatMap((tool) => {
    const { name } = (tool ?? {}) as { name?: unknown }
    return typeof name === 'string' ? [name] : []
  })
}
