/**
 * Whose session with a server it is. A server may keep state for a session, such as an open page or a level of its log, so
 * two users never share one. Calls without a user and lists of tools share one.
 */
import { sha256 } from 'ftl-http'
import type { ToolContext } from 'ftl-sdk'

export interface SessionOwner {
  /** Part of the key in the store. Two users may have the same one. */
  slot: string
  /** Compared with that of the entry. */
  digest: string
}

/** For lists of tools, which all users get, and for calls without a user. */
export const SHARED: SessionOwner = { slot: '', digest: '' }

/** Digits of the slot, in hexadecimal: 4096 entries for each server, however many users there are. */
const SLOT_DIGITS = 3

export async function ownerOf({
  principal,
}: Pick<ToolContext, 'principal'>): Promise<SessionOwner> {
  if (principal === undefined) return SHARED
  const digest = await sha256(principal)
  return { slot: `:${digest.slice(0, SLOT_DIGITS)}`, digest }
}
