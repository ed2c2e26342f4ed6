/**
 * The MCP servers of the workbench: this gateway, and those that the user has added in this tab.
 *
 * A reload keeps their addresses (`sessionStorage`), but no secret: browsers write that storage to disk when they restore
 * a session. Secrets are held by this module, in memory. No link has a server.
 */
import { newKey } from '../../jobs/call.ts'
import { asArray, asRecord, text } from '../../net/api.ts'
import { createStore } from '../../store.ts'

export interface Server {
  /** Empty for this gateway. */
  id: string
  /** As it is shown. */
  name: string
  /** Of its MCP endpoint. */
  url: string
  /** Name of the header that the secret is sent in. @default none is sent */
  header: string
}

export const GATEWAY: Server = {
  id: '',
  name: 'This gateway',
  url: `${location.origin}/mcp`,
  header: '',
}

interface Known {
  /** Without this gateway. */
  list: readonly Server[]
  /** Id of the one that is shown. */
  chosen: string
}

const KEY = 'ftl.servers'
const secrets = new Map<string, string>()

export const servers = createStore<Known>(readKnown())

export function chosenServer({ list, chosen }: Known): Server {
  return list.find(({ id }) => id === chosen) ?? GATEWAY
}

export function isForeign({ id }: Server): boolean {
  return id !== ''
}

export function chooseServer(id: string): void {
  change((known) => ({ ...known, chosen: id }))
}

/** Adds it and shows it. @param secret value of its header. */
export function addServer(server: Omit<Server, 'id'>, secret: string): Server {
  const known = servers.get().list.find(({ url }) => url === server.url)
  const added = { ...server, id: known?.id ?? newKey() }
  keepSecret(added.id, secret)
  change(({ list }) => ({
    list: [...list.filter(({ id }) => id !== added.id), added],
    chosen: added.id,
  }))
  return added
}

export function changeHeader(id: string, header: string, secret: string): void {
  keepSecret(id, secret)
  change((known) => ({
    ...known,
    list: known.list.map((server) => (server.id === id ? { ...server, header } : server)),
  }))
}

export function removeServer(id: string): void {
  secrets.delete(id)
  change(({ list, chosen }) => ({
    list: list.filter((server) => server.id !== id),
    chosen: chosen === id ? '' : chosen,
  }))
}

/** @returns the header that proves who the user is; `undefined` without a secret. */
export function secretHeader({ id }: Server): [name: string, value: string] | undefined {
  const { header } = servers.get().list.find((server) => server.id === id) ?? GATEWAY
  const secret = secrets.get(id)
  return header !== '' && secret !== undefined ? [header, secret] : undefined
}

function keepSecret(id: string, secret: string): void {
  if (secret === '') secrets.delete(id)
  else secrets.set(id, secret)
}

function change(next: (known: Known) => Known): void {
  servers.set(next)
  try {
    const { list, chosen } = servers.get()
    // A query often has a key.
    const kept = list.filter(({ url }) => new URL(url).search === '')
    sessionStorage.setItem(KEY, JSON.stringify({ list: kept, chosen }))
  } catch {
    // Then a reload forgets them.
  }
}

function readKnown(): Known {
  try {
    const { list, chosen } = asRecord(JSON.parse(sessionStorage.getItem(KEY) ?? '{}'))
    return { list: asArray(list).flatMap(readServer), chosen: text(chosen) ?? '' }
  } catch {
    return { list: [], chosen: '' }
  }
}

function readServer(value: unknown): Server[] {
  const { id, name, url, header } = asRecord(value)
  if (!text(id) || typeof name !== 'string' || typeof url !== 'string') return []
  return /^https?:/.test(url) ? [{ id: String(id), name, url, header: text(header) ?? '' }] : []
}
