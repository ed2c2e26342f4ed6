/**
 * What is remembered of the servers, in the key-value store: their lists, how they are spoken with, and which tool is
 * whose. It may be lost or unreachable at any time; then they are asked again.
 *
 * @module
 */
import type { ContextPlatform, ToolDescription } from 'ftl-sdk'
import type { HeaderParam } from './wire/standard-headers.ts'
import type { Connection } from './wire/request.ts'

/** Raised when the form of what is stored changes: what an older version wrote is not read. */
const VERSION = 1

/** The last list a server gave. */
export interface KeptList {
  /** Of its address and headers: another server's list is not used. */
  digest: string
  tools: ToolDescription[]
  /** What of the list cannot be used. */
  problems: string[]
  /** Milliseconds since the epoch: when it was given; 0 = never. */
  listedAt: number
  /** Until when nobody asks again. */
  until: number
  /** Why it could not be had anew. */
  failure?: string
}

/** Where a published name leads. */
export interface Target {
  server: string
  /** The server's own name for it. */
  tool: string
  params?: HeaderParam[]
}

export interface Index {
  /** Of the whole variable: another deny list or prefix makes another index. */
  digest: string
  targets: Record<string, Target>
}

export interface Store {
  list(server: string): Promise<KeptList | undefined>
  keepList(server: string, list: KeptList): Promise<void>
  connection(server: string, digest: string): Promise<Connection | undefined>
  keepConnection(server: string, digest: string, connection: Connection | undefined): Promise<void>
  index(): Promise<Index | undefined>
  keepIndex(index: Index): Promise<void>
}

export function openStore(platform: ContextPlatform, component: string): Store {
  const prefix = `remote:${component}:v${VERSION}`
  let opened: ReturnType<ContextPlatform['openKeyValue']> | undefined
  const store = () => (opened ??= platform.openKeyValue('default'))

  async function read<T>(key: string): Promise<T | undefined> {
    try {
      const bytes = await (await store()).get(`${prefix}:${key}`)
      return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as T)
    } catch (error) {
      console.warn('the key-value store was not read:', error)
      return undefined
    }
  }

  async function write(key: string, value: unknown): Promise<void> {
    try {
      if (value === undefined) await (await store()).delete(`${prefix}:${key}`)
      else await (await store()).set(`${prefix}:${key}`, JSON.stringify(value))
    } catch (error) {
      console.warn('the key-value store was not written:', error)
    }
  }

  return {
    list: (server) => read(`list:${server}`),
    keepList: (server, list) => write(`list:${server}`, list),
    async connection(server, digest) {
      const kept = await read<{ digest: string; connection: Connection }>(`connection:${server}`)
      return kept?.digest === digest ? kept.connection : undefined
    },
    keepConnection: (server, digest, connection) =>
      write(`connection:${server}`, connection && { digest, connection }),
    index: () => read('index'),
    keepIndex: (index) => write('index', index),
  }
}

/** SHA-256 in hexadecimal. */
export async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
