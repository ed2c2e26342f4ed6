/**
 * Serves a component as a Cloudflare Worker.
 *
 * @module
 */
import type { Answer } from './members.ts'
import { embeddedFiles } from './embedded-files.ts'
import type { KeyValue } from './platform.ts'
import { createScriptPlatform, MissingVariable, type ScriptConfig } from './script-config.ts'
import { foreignName, isForeignName, OF_HOST, problem } from './script-responses.ts'

export interface WorkerConfig extends ScriptConfig {
  /** Bindings of KV namespaces, by label. */
  stores: Readonly<Record<string, string>>
  /** Base64 by absolute path. */
  files: Readonly<Record<string, string>>
}

/** The part of a KV namespace that is used. */
interface Namespace {
  get(key: string, type: 'arrayBuffer'): Promise<ArrayBuffer | null>
  put(key: string, value: string | Uint8Array): Promise<void>
  delete(key: string): Promise<void>
  list(options: { cursor?: string }): Promise<{
    keys: { name: string }[]
    list_complete: boolean
    cursor?: string
  }>
}

type Bindings = Readonly<Record<string, unknown>>

interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void
}

/** Replaces the global `fetch`, so that tools that use it keep to the same list. */
export function serveOnWorkers(answer: Answer, config: WorkerConfig) {
  const send = globalThis.fetch.bind(globalThis)
  let create: ReturnType<typeof createScriptPlatform> | undefined
  const start = (env: Bindings) => {
    const made = createScriptPlatform(config, {
      variable: (name) => {
        const value = env[name]
        return typeof value === 'string' ? value : undefined
      },
      openStore: (label) => {
        const binding = Object.hasOwn(config.stores, label) ? config.stores[label] : undefined
        const namespace = binding === undefined ? undefined : env[binding]
        return namespace === undefined ? undefined : storeOf(namespace as Namespace)
      },
      files: embeddedFiles(config.files),
      fetch: send,
    })
    const platform = made(() => undefined)
    globalThis.fetch = (input, init) => platform.fetch(input, init)
    return made
  }
  return {
    async fetch(received: Request, env: Bindings, context: ExecutionContext): Promise<Response> {
      if (isForeignName(received)) return foreignName()
      const request = withoutHostHeaders(received)
      try {
        create ??= start(env)
      } catch (error) {
        if (!(error instanceof MissingVariable)) throw error
        const text = `${error.message} Add it to "vars" of wrangler.json, or run: wrangler secret put ${error.variable}`
        return problem(500, 'configuration', text)
      }
      return answer(
        request,
        create((work) => context.waitUntil(work)),
      )
    },
  }
}

function storeOf(namespace: Namespace): KeyValue {
  const get = async (key: string) => {
    const bytes = await namespace.get(key, 'arrayBuffer')
    return bytes === null ? undefined : new Uint8Array(bytes)
  }
  return {
    get,
    set: (key, value) => namespace.put(key, value),
    // Two regions can read different values, so a comparison would mean nothing.
    setIf: async () => undefined,
    delete: (key) => namespace.delete(key),
    exists: async (key) => (await get(key)) !== undefined,
    async keys() {
      const names: string[] = []
      for (let cursor: string | undefined; ;) {
        const page = await namespace.list(cursor === undefined ? {} : { cursor })
        names.push(...page.keys.map(({ name }) => name))
        if (page.list_complete) return names
        cursor = page.cursor
      }
    },
  }
}

function withoutHostHeaders(request: Request): Request {
  const forged = [...request.headers.keys()].filter((name) => OF_HOST.test(name))
  if (forged.length === 0) return request
  const own = new Request(request)
  for (const name of forged) own.headers.delete(name)
  return own
}
