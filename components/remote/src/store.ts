/**
 * Data about the servers in the key-value store: their lists, their connections, and which server has which tool. The
 * store may be empty or unreachable at any time; the data is then requested from the servers again.
 */
import type {
  PromptDescription,
  ResourceDescription,
  ResourceTemplateDescription,
} from 'ftl-contract'
import { joinedEntry, partedEntry } from 'ftl-platform'
import type { ContextPlatform } from 'ftl-sdk'
import { sha256 } from 'ftl-http'
import type { Addresses } from './addresses.ts'
import { readOnce } from './last-text.ts'
import type { SessionOwner } from './session-owner.ts'
import type { KeptSkill } from './usable-skills.ts'
import type { UsableTool } from './usable-tools.ts'
import type { HeaderParam } from './wire/standard-headers.ts'
import type { Connection } from './wire/request.ts'

/** Increment when the stored format changes: values of an older version are not read. */
const VERSION = 3

/** What a server has besides its tools. */
export interface OtherEntries {
  prompts: PromptDescription[]
  resources: ResourceDescription[]
  resourceTemplates: ResourceTemplateDescription[]
}

/** Where published prompts and resources lead. */
export interface Others {
  /** By published name. */
  prompts: Record<string, { server: string; name: string }>
  addresses: Addresses
}

/** The last list that a server returned. */
export interface KeptList {
  /** Digest of the server's URL and headers: a list stored for other values is not used. */
  digest: string
  tools: UsableTool[]
  /** @default none */
  others?: OtherEntries
  /** @default none */
  skills?: KeptSkill[]
  /** Capabilities that it declares: `resources`, `completions`, `skills`. @default it has not said */
  features?: string[]
  /** What it says about the use of its tools, if clients are to get it. */
  instructions?: string
  /** Bytes of all of this as JSON. */
  bytes: number
  /** Entries that are not listed for their number or size. @default 0 */
  leftOut?: number
  /** Why entries of the list cannot be used. */
  problems: string[]
  /** When the server returned it, in milliseconds since the epoch; 0 = never. */
  listedAt: number
  /** When it is requested again, in milliseconds since the epoch. */
  until: number
  /** Why the last request for it failed. */
  failure?: string
}

interface KeptConnection {
  digest: string
  /** Digest of the user whose session it is. */
  owner: string
  connection: Connection
}

/** The server and tool of a published name. */
export interface Target {
  server: string
  /** The server's own name for it. */
  tool: string
  params?: HeaderParam[]
  /** The server's names of arguments, by those that are published instead. */
  ownNames?: Record<string, string>
  /** @default false */
  onlyAsTask?: true
}

export interface Index {
  /** Digest of the whole variable: a change of a deny list or prefix makes the index invalid. */
  digest: string
  targets: Record<string, Target>
}

/** Apart from the tools, because a call of one reads the index. */
export interface OthersIndex {
  digest: string
  others: Others
}

/** Where a connection is kept. */
export interface ConnectionPlace {
  server: string
  /** Of the variable, as for the index. */
  digest: string
  owner: SessionOwner
}

export interface Store {
  list(server: string): Promise<KeptList | undefined>
  keepList(server: string, list: KeptList): Promise<void>
  connection(place: ConnectionPlace): Promise<Connection | undefined>
  keepConnection(place: ConnectionPlace, connection: Connection): Promise<void>
  forgetConnection(place: ConnectionPlace): Promise<void>
  index(): Promise<Index | undefined>
  keepIndex(index: Index): Promise<void>
  others(): Promise<OthersIndex | undefined>
  keepOthers(index: OthersIndex): Promise<void>
  /** Its list is requested again by the next one who needs it. */
  expireList(server: string): Promise<void>
}

/** Every call of a tool reads it, and it names all tools of all servers. */
const parseIndex = readOnce((text): unknown => JSON.parse(text))

export function openStore(platform: ContextPlatform, component: string): Store {
  const prefix = `remote:${component}:v${VERSION}`
  let opened: ReturnType<ContextPlatform['openKeyValue']> | undefined
  const store = () => (opened ??= platform.openKeyValue('default'))

  async function read<T>(
    key: string,
    parse: (text: string) => unknown = JSON.parse,
  ): Promise<T | undefined> {
    try {
      const open = await store()
      const entry = `${prefix}:${key}`
      const bytes = await joinedEntry(open, entry, await open.get(entry))
      return bytes && (parse(new TextDecoder().decode(bytes)) as T)
    } catch (error) {
      console.warn('the key-value store was not read:', error)
      return undefined
    }
  }

  async function write(key: string, value: unknown): Promise<void> {
    try {
      const open = await store()
      const entry = `${prefix}:${key}`
      await open.set(entry, await partedEntry(open, entry, JSON.stringify(value)))
    } catch (error) {
      console.warn('the key-value store was not written:', error)
    }
  }

  return {
    list: (server) => read(`list:${server}`),
    keepList: (server, list) => write(`list:${server}`, list),
    async connection({ server, digest, owner }) {
      const kept = await read<KeptConnection>(`connection:${server}${owner.slot}`)
      return kept?.digest === digest && kept.owner === owner.digest ? kept.connection : undefined
    },
    keepConnection: ({ server, digest, owner }, connection) =>
      write(`connection:${server}${owner.slot}`, { digest, owner: owner.digest, connection }),
    forgetConnection: ({ server, owner }) => write(`connection:${server}${owner.slot}`, {}),
    index: () => read('index', parseIndex),
    keepIndex: (index) => write('index', index),
    others: () => read('others'),
    keepOthers: (index) => write('others', index),
    async expireList(server) {
      const list = await read<KeptList>(`list:${server}`)
      if (list) await write(`list:${server}`, { ...list, until: 0 })
    },
  }
}

/** SHA-256 in hexadecimal. */
export function digestOf(value: unknown): Promise<string> {
  return sha256(JSON.stringify(value))
}
