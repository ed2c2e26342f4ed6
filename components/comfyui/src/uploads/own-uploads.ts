/**
 * The uploads of each caller, so that one caller cannot take the room of the component's store, which its jobs need too.
 * Callers that the gateway does not know count together.
 */
import { parseUploadId } from 'ftl-contract'
import type { ContextKeyValue, ToolContext } from 'ftl-sdk'

/** Uploads that one caller may have. A component's store has 100,000 entries. */
export const MOST_UPLOADS = 2_000

/** How often a list is written again because another upload of the caller has changed it. Each time, one of them succeeds. */
const CHANGE_LIMIT = 20

type Sender = Pick<ToolContext, 'platform' | 'principal'>

export class TooManyUploads extends Error {
  override readonly name = 'TooManyUploads'
}

/** @throws {TooManyUploads} */
export async function requireRoom(context: Sender): Promise<void> {
  const store = await context.platform.openKeyValue('default')
  const { ids } = await readOwn(store, await keyOf(context), context)
  if (ids.length < MOST_UPLOADS) return
  throw new TooManyUploads(
    `You have ${MOST_UPLOADS} uploads, which is the limit. Each one expires after a day.`,
  )
}

/** @returns whether it is the caller's first one that expires in its hour. */
export async function noteUpload(id: string, context: Sender): Promise<boolean> {
  const store = await context.platform.openKeyValue('default')
  const key = await keyOf(context)
  for (let tries = 1; ; tries++) {
    const { ids, bytes } = await readOwn(store, key, context)
    const next = JSON.stringify([...ids, id])
    const isWritten = await store.setIf?.(key, bytes, next)
    // Without a comparison, one of two uploads at once is not counted.
    if (isWritten === undefined) await store.set(key, next)
    if (isWritten !== false) return !ids.some((other) => hourOf(other) === hourOf(id))
    if (tries === CHANGE_LIMIT) throw new Error('other uploads change the list too often')
  }
}

/** Those that have not expired. */
async function readOwn(
  store: ContextKeyValue,
  key: string,
  { platform }: Sender,
): Promise<{ ids: string[]; bytes: Uint8Array | undefined }> {
  const bytes = await store.get(key)
  const all = bytes ? (JSON.parse(new TextDecoder().decode(bytes)) as string[]) : []
  const now = platform.now()
  return { ids: all.filter((id) => (parseUploadId(id)?.expiresMs ?? 0) > now), bytes }
}

async function keyOf({ principal = '' }: Sender): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(principal))
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0'))
  return `uploads-of:${hex.join('')}`
}

function hourOf(id: string): number {
  return Math.floor((parseUploadId(id)?.expiresMs ?? 0) / 3_600_000)
}
