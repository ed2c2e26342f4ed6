/** What the component remembers of an upload: whose it is, and where its bytes are. */
import { parseUploadId, uploadId } from 'ftl-contract'
import type { UploadFormat } from 'ftl-comfyui/client'
import type { ContextKeyValue, ToolContext } from 'ftl-sdk'
import { noteUpload } from './own-uploads.ts'

export interface UploadRecord {
  /** The principal of the sender. @default a sender that the gateway does not know */
  owner?: string
  /** Address of the ComfyUI server. */
  server: string
  /** Value for an input that loads the file there. */
  file: string
  kind: UploadFormat['kind']
  mimeType: string
  bytes: number
}

/** Milliseconds: as long as a job's files. */
const KEPT_MS = 86_400_000
const PREFIX = 'upload:'
/** Expired records that one upload removes. */
const MOST_REMOVED = 1_000

/** @returns the id, and when it expires, in milliseconds since the epoch. */
export async function keepUpload(
  record: UploadRecord,
  context: ToolContext,
): Promise<{ id: string; expiresMs: number }> {
  const { platform } = context
  const expiresMs = platform.now() + KEPT_MS
  const id = uploadId(expiresMs, platform.randomUUID())
  const store = await platform.openKeyValue('default')
  // Counted first: a record that is not counted would be one without a limit.
  const isFirst = await noteUpload(id, context)
  await store.set(PREFIX + id, JSON.stringify(record))
  // Once an hour for each caller: it reads every key of the store.
  if (isFirst) platform.waitUntil(removeExpired(context).catch(() => undefined))
  return { id, expiresMs }
}

/** @returns `undefined` if it does not exist, has expired, or belongs to another caller. */
export async function readUpload(
  id: string,
  { platform, principal }: ToolContext,
): Promise<UploadRecord | undefined> {
  const parsed = parseUploadId(id)
  if (!parsed || parsed.expiresMs <= platform.now()) return undefined
  const store = await platform.openKeyValue('default')
  const bytes = await store.get(PREFIX + id)
  if (!bytes) return undefined
  const record = JSON.parse(new TextDecoder().decode(bytes)) as UploadRecord
  return record.owner === principal ? record : undefined
}

/** The id says when its record expires, so none is read. The file stays: ComfyUI has no way to delete one. */
async function removeExpired({ platform }: ToolContext): Promise<void> {
  const store: ContextKeyValue = await platform.openKeyValue('default')
  const now = platform.now()
  const expired = (await store.keys()).filter((key) => {
    if (!key.startsWith(PREFIX)) return false
    const parsed = parseUploadId(key.slice(PREFIX.length))
    return parsed !== undefined && parsed.expiresMs <= now
  })
  for (const key of expired.slice(0, MOST_REMOVED)) await store.delete(key)
}
