/**
 * What is behind the addresses of a job's files and previews, where jobs belong to users: a browser sends no token with an
 * image or a WebSocket, so the owner gets a link. It is kept in memory only.
 */
import { useEffect } from 'preact/hooks'
import { asRecord, getJson, text } from '../net/api.ts'
import { session } from '../sign-in/session.ts'
import { createStore, useStore } from '../store.ts'

/** By job; empty where the job has none. */
const links = createStore<ReadonlyMap<string, string>>(new Map())
const asked = new Set<string>()

async function readLink(id: string): Promise<void> {
  if (asked.has(id)) return
  asked.add(id)
  try {
    const link = text(asRecord(await getJson(`/jobs/${id}`))['link'])
    links.set((known) => new Map(known).set(id, link === undefined ? '' : `?link=${link}`))
  } catch {
    links.set((known) => new Map(known).set(id, ''))
  }
  asked.delete(id)
}

/** @returns the query for addresses of the job; `undefined` while it is not known. */
export function useLink(id: string | undefined): string | undefined {
  const known = useStore(links).get(id ?? '')
  const { state } = useStore(session)
  useEffect(() => {
    if (id !== undefined && known === undefined && state === 'signed-in') void readLink(id)
  }, [id, known, state])
  return id === undefined || state === 'open' ? '' : known
}

/** The address of a picture of the job; `undefined` while the link is not known. */
export function addressWith(link: string | undefined, url: string): string | undefined {
  if (!url.startsWith('/outputs/')) return url
  return link === undefined ? undefined : url + link
}

/** The address of a file as the browser can request it; `undefined` while its link is not known. */
export function useAddress(url: string): string | undefined {
  const [, id] = /^\/outputs\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/.exec(url) ?? []
  return addressWith(useLink(id), url)
}
