/**
 * Serves one call and tries every schema once while the component is built.
 *
 * Every request begins in the state the build has left, and the engine has no compiler that would make up for it: what
 * it does when code first runs (compiling functions, making shapes of objects), and what a schema library puts off
 * until it is first used, would be done again in each of them. A first parse of Zod takes a millisecond, the second
 * 0.015.
 */
import { DEADLINE_HEADER, PREFER_HEADER, REQUEST_ID_HEADER } from 'ftl-contract'
import type { ContextPlatform } from '../tool/context.ts'
import { createTool } from '../tool/create-tool.ts'
import { toComponent } from './component.ts'
import { type ComponentEntry, toToolSet } from './entry.ts'

/** Turns of the microtask queue in which checks that wait for something come to their end. */
const TURNS = 50

/**
 * Only while the component is built. No handler is run, except that of a set's own `rehearsal`; of a schema, what its
 * author wrote (refinements, transforms, defaults) may be, and comes to nothing there whatever it does.
 *
 * @throws {TypeError} when the set's own `rehearsal` is not answered: it would have prepared the wrong thing.
 */
export async function warmUp(entry: ComponentEntry): Promise<void> {
  // It answers every request itself, with none of what is below.
  if (entry.default && 'fetch' in entry.default) return
  await rehearseCall()
  const { tools, rehearse } = toToolSet(entry) ?? { tools: [] }
  await withoutHost(async () => {
    for (const tool of tools) tool.rehearse?.()
    for (let turns = 0; turns < TURNS; turns++) await Promise.resolve()
    await rehearse?.(toComponent(entry, 'own'))
  })
}

const own = createTool({
  metadata: {
    name: 'own',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  },
  handler: () => '',
})

async function rehearseCall(): Promise<void> {
  const component = toComponent({ tool: own }, 'own')
  // The second time the engine optimises what it has seen once.
  for (let times = 0; times < 2; times++) {
    const request = new Request('http://own/', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': '11',
        accept: 'application/json',
        [REQUEST_ID_HEADER]: '-',
        [DEADLINE_HEADER]: '1000',
        [PREFER_HEADER]: 'respond-async',
      },
      body: '{"text":""}',
    })
    await (await component.fetch(request, NO_PLATFORM)).text()
  }
}

const NO_PLATFORM = { now: () => 0 } as ContextPlatform

/**
 * Runs `work` with stand-ins for what only a host can provide, and removes them when it has settled.
 *
 * A call of the real functions would end the build (random numbers and the time since the start: no exception can be
 * caught) or leave a rejected promise that every request reports.
 */
async function withoutHost(work: () => Promise<void>): Promise<void> {
  const restore = [
    replace(Math, 'random', () => 0.5),
    replace(crypto, 'randomUUID', () => '00000000-0000-4000-8000-000000000000'),
    replace(crypto, 'getRandomValues', (array) => array),
    replace(performance, 'now', () => 0),
    replace(globalThis, 'fetch', () => new Promise<never>(() => undefined)),
    replace(globalThis, 'setTimeout', (() => 0) as never),
  ]
  try {
    await work()
  } finally {
    for (const undo of restore) undo()
  }
}

function replace<T extends object, K extends keyof T>(target: T, name: K, value: T[K]): () => void {
  const own = Object.getOwnPropertyDescriptor(target, name)
  Object.defineProperty(target, name, { value, configurable: true, writable: true })
  return () => {
    if (own) Object.defineProperty(target, name, own)
    else delete target[name]
  }
}
