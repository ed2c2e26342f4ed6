/** Stops one prompt without stopping another. */
import { asObject } from 'ftl-contract'
import { ComfyError } from './errors.ts'
import { exchange, type HttpOptions, jsonOf, post, readOk, unexpected } from './http.ts'
import { fromQueue } from './job.ts'
import { asText } from './narrow.ts'

/** Before this version, `/interrupt` ignores its `prompt_id` and stops the running prompt. */
const SELECTIVE_INTERRUPT = [0, 3, 57]

/**
 * @returns whether there was anything to stop.
 * @throws {ComfyError} `rejected` if the request could stop another client's prompt instead.
 */
export async function cancel(http: HttpOptions, promptId: string): Promise<boolean> {
  // With an empty id, `/interrupt` stops whatever runs.
  if (promptId === '') return false
  const reply = await post(http, `/jobs/${encodeURIComponent(promptId)}/cancel`, {})
  if (reply.status === 200) return asObject(jsonOf(reply)).cancelled === true
  // Servers before 0.26 do not have this path: they return 405 for a POST, some proxies 404.
  if (reply.status !== 404 && reply.status !== 405) throw unexpected(reply)

  const look = async () =>
    fromQueue(asObject(readOk(await exchange(http, '/queue'))), promptId).status
  const before = await look()
  if (before === 'unknown') return false
  if (before === 'pending') {
    await done(post(http, '/queue', { delete: [promptId] }))
    // If the prompt started in between, the delete had no effect.
    if ((await look()) !== 'running') return true
  }
  const version = await readVersion(http)
  if (isOlder(version, SELECTIVE_INTERRUPT)) {
    const text = `ComfyUI ${version} cannot stop a running job without the risk of stopping another one.`
    throw new ComfyError('rejected', text)
  }
  await done(post(http, '/interrupt', { prompt_id: promptId }))
  return true
}

/** As `major.minor.patch`, or `unknown`. */
export async function readVersion(http: HttpOptions): Promise<string> {
  const { system } = asObject(readOk(await exchange(http, '/system_stats')))
  return asText(asObject(system).comfyui_version) ?? 'unknown'
}

/** A version that cannot be read counts as old. */
function isOlder(version: string, than: readonly number[]): boolean {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number)
  if (!parts) return true
  const at = parts.findIndex((part, index) => part !== than[index])
  return at !== -1 && (parts[at] ?? 0) < (than[at] ?? 0)
}

async function done(sent: ReturnType<typeof post>): Promise<void> {
  const reply = await sent
  if (reply.status !== 200) throw unexpected(reply)
}
