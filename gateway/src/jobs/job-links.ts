/**
 * Capabilities: links to the files and the stream of one job that work without a token, because a browser sends no
 * header with an image or a WebSocket. A link is sealed for the job and its owner, expires, and only reads.
 */
import { utf8 } from 'ftl-http'
import { type JobRecord, parseJobLink } from 'ftl-contract'
import { isUrlMacOf, urlMacOf } from '../mac.ts'
import { sealingKey } from '../sealing-key.ts'
import type { Scope } from '../scope.ts'

type OwnedJob = Pick<JobRecord, 'id' | 'owner'>

/** Expiries are whole multiples of this, so that a file keeps its address for a while, and caches find it. */
const STEP_MS = 600_000

/** Makes the link of an owned job known to the scope, for the results that name its files. */
export async function noteLink(scope: Scope, job: OwnedJob): Promise<void> {
  if (job.owner === undefined || scope.links.has(job.id)) return
  const end = scope.platform.now() + scope.settings.linkTtlMs
  const expires = Math.ceil(end / STEP_MS) * STEP_MS
  const mac = await urlMacOf(await sealingKey(scope), covered(job, expires))
  scope.links.set(job.id, `${expires.toString(36)}.${mac}`)
}

/** Whether the link was given out for this job and this owner, and has not expired. */
export async function isLinkTo(scope: Scope, job: OwnedJob, link: string): Promise<boolean> {
  const parsed = parseJobLink(link)
  if (!parsed || parsed.expires <= scope.platform.now()) return false
  return isUrlMacOf(parsed.mac, await sealingKey(scope), covered(job, parsed.expires))
}

/** The prefix `link` separates these seals from other data that is sealed with the same key. */
function covered({ id, owner = '' }: OwnedJob, expires: number): Uint8Array<ArrayBuffer> {
  return utf8(`link ${id} ${expires}\n${owner}`)
}
