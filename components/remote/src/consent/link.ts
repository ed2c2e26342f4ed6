/** The link with which one user begins to sign in at one server. */
import { isObject } from 'ftl-contract'
import type { RemoteServer } from '../servers.ts'
import type { Consents } from './consents.ts'

/** Milliseconds that the user has to open the link, and to come back from the authorization server. */
export const PATIENCE_MS = 10 * 60_000

const PURPOSE = ['link']

export interface Link {
  principal: string
  server: string
  url: string
}

export async function linkFor(
  { sealer, address, platform }: Consents,
  { name, url }: RemoteServer,
  principal: string,
): Promise<string> {
  const until = platform.now() + PATIENCE_MS
  const ticket = await sealer.seal(PURPOSE, { principal, server: name, url, until })
  return `${address}/start?ticket=${ticket}`
}

/** `undefined` for a ticket that is not one of ours, or too old. */
export async function readTicket(
  { sealer, platform }: Pick<Consents, 'sealer' | 'platform'>,
  ticket: string,
): Promise<Link | undefined> {
  const opened = await sealer.open(PURPOSE, ticket)
  if (!isObject(opened)) return undefined
  const { principal, server, url, until } = opened
  if (typeof principal !== 'string' || typeof server !== 'string' || typeof url !== 'string')
    return undefined
  return typeof until === 'number' && platform.now() < until
    ? { principal, server, url }
    : undefined
}
