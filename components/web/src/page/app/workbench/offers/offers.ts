/** What each server offers: the lists that were read, and what is known about the others. */
import { asArray, asRecord, text } from '../../net/api.ts'
import { createStore } from '../../store.ts'
import { connections, mcp, onNotification } from '../mcp/connection.ts'
import { GATEWAY, type Server, servers } from '../servers/known-servers.ts'
import { type Refusal, refusalOf } from '../servers/refusals.ts'
import { type Listed, readPages } from './pages.ts'
import {
  type Prompt,
  readPrompt,
  readResource,
  readTemplate,
  readTool,
  type Resource,
  type Template,
} from './read-offers.ts'

export type Kind = 'tools' | 'prompts' | 'resources' | 'templates'
export type Entry = ReturnType<typeof readTool>[number] | Prompt | Resource | Template

export interface Offer extends Listed<Entry> {
  /** `none`: the server does not declare the capability. */
  state: 'reading' | 'read' | 'none' | 'failed'
  refusal?: Refusal
}

/** By id of the server and kind. */
export const offers = createStore<ReadonlyMap<string, Offer>>(new Map())

interface KindOptions {
  method: string
  field: string
  capability: string
  read: (value: unknown) => readonly Entry[]
}

const KINDS: Record<Kind, KindOptions> = {
  tools: { method: 'tools/list', field: 'tools', capability: 'tools', read: readTool },
  prompts: { method: 'prompts/list', field: 'prompts', capability: 'prompts', read: readPrompt },
  resources: {
    method: 'resources/list',
    field: 'resources',
    capability: 'resources',
    read: readResource,
  },
  templates: {
    method: 'resources/templates/list',
    field: 'resourceTemplates',
    capability: 'resources',
    read: readTemplate,
  },
}

const NOTHING: Offer = { state: 'reading', entries: [], cursor: undefined, notes: [] }
const METHOD_NOT_FOUND = -32601

export function offerOf(
  all: ReadonlyMap<string, Offer>,
  { id }: Server,
  kind: Kind,
): Offer | undefined {
  return all.get(`${id} ${kind}`)
}

/** Name or address, which is the key of an entry in its list. */
export function keyOf(entry: Entry): string {
  if (entry.kind === 'resource') return entry.uri
  return entry.kind === 'template' ? entry.uriTemplate : entry.name
}

/** Reads the list, if it was not read yet. Errors are part of the offer. */
export async function loadOffer(server: Server, kind: Kind): Promise<void> {
  const { state } = offerOf(offers.get(), server, kind) ?? {}
  if (state === undefined || state === 'failed') await read(server, kind)
}

/** Reads more pages of a list that is not at its end. */
export function loadMore(server: Server, kind: Kind): Promise<void> {
  return read(server, kind, offerOf(offers.get(), server, kind))
}

/** What was read is read again when it is shown the next time. */
export function forgetOffers({ id }: Server): void {
  offers.set((all) => new Map([...all].filter(([key]) => !key.startsWith(`${id} `))))
}

async function read(server: Server, kind: Kind, from?: Offer): Promise<void> {
  const { method, field, capability, read: readEntry } = KINDS[kind]
  const before = offerOf(offers.get(), server, kind) ?? NOTHING
  note(server, kind, { ...before, state: 'reading' })
  try {
    const client = await mcp(server)
    if (client.capabilities[capability] === undefined) {
      return note(server, kind, { ...NOTHING, state: 'none' })
    }
    const listed = await readPages<Entry>({
      read: readEntry,
      keyOf,
      ...(from?.cursor !== undefined && { from }),
      async ask(cursor) {
        const page = asRecord(await client.request(method, cursor === undefined ? {} : { cursor }))
        return { entries: asArray(page[field]), cursor: text(page['nextCursor']) || undefined }
      },
    })
    note(server, kind, { ...listed, state: 'read' })
  } catch (error) {
    // A server may have resources and no templates.
    if (asRecord(error)['code'] === METHOD_NOT_FOUND) {
      return note(server, kind, { ...NOTHING, state: 'none' })
    }
    note(server, kind, { ...before, state: 'failed', refusal: refusalOf(server, error) })
  }
}

function note({ id }: Server, kind: Kind, offer: Offer): void {
  offers.set((all) => new Map(all).set(`${id} ${kind}`, offer))
}

const CHANGED: Record<string, Kind[]> = {
  'notifications/tools/list_changed': ['tools'],
  'notifications/prompts/list_changed': ['prompts'],
  'notifications/resources/list_changed': ['resources', 'templates'],
}

/** A server may say so all the time. */
const AGAIN_MS = 1_000
const waiting = new Set<string>()

onNotification((server, method) => {
  for (const kind of CHANGED[method] ?? []) {
    const key = `${server.id} ${kind}`
    if (waiting.has(key) || !offers.get().has(key)) continue
    waiting.add(key)
    setTimeout(() => {
      waiting.delete(key)
      const isKnown =
        server.id === GATEWAY.id || servers.get().list.some(({ id }) => id === server.id)
      if (isKnown && connections.get().has(server.id)) void read(server, kind)
    }, AGAIN_MS)
  }
})
