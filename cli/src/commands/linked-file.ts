/** Fetches a file that a tool's result links to. */
import { NotSaved } from './saved-files.ts'

export interface LinkSource {
  /** Address of the MCP server. Files of other origins are not fetched: a result must not choose what this machine requests. */
  url: string
  /** Sent to the server, for example its key. */
  headers: Readonly<Record<string, string>>
  /** Sends the token of a sign-in. @default the global one */
  fetch?: typeof globalThis.fetch | undefined
  signal: AbortSignal
  /** Milliseconds without any bytes. */
  timeoutMs: number
  /** @param total bytes, where the server says how many there are. */
  onProgress?: ((bytes: number, total: number | undefined) => void) | undefined
}

/** Whether the file is at the server itself. */
export function isOwnLink(uri: string, { url }: Pick<LinkSource, 'url'>): boolean {
  const link = URL.parse(uri)
  return link !== null && /^https?:$/.test(link.protocol) && link.origin === URL.parse(url)?.origin
}

/** @throws {NotSaved} */
export async function* readLink(uri: string, source: LinkSource): AsyncGenerator<Uint8Array> {
  const idle = new AbortController()
  const expire = () => idle.abort()
  let timer = setTimeout(expire, source.timeoutMs)
  try {
    const signal = AbortSignal.any([source.signal, idle.signal])
    const { fetch = globalThis.fetch } = source
    const response = await fetch(uri, { headers: source.headers, redirect: 'manual', signal })
    if (!response.ok) throw new NotSaved(await reasonOf(response))
    const length = Number(response.headers.get('content-length') ?? NaN)
    const total = Number.isFinite(length) && length > 0 ? length : undefined
    let bytes = 0
    for await (const part of response.body ?? []) {
      clearTimeout(timer)
      timer = setTimeout(expire, source.timeoutMs)
      bytes += part.length
      source.onProgress?.(bytes, total)
      yield part
    }
  } catch (error) {
    if (error instanceof NotSaved || source.signal.aborted) throw error
    if (idle.signal.aborted) {
      throw new NotSaved(`the server sent nothing for ${source.timeoutMs / 1000} s`)
    }
    throw new NotSaved('the connection to the server broke')
  } finally {
    clearTimeout(timer)
  }
}

const LONGEST_REASON = 300
/** Bytes of an error's body that are read. */
const MAX_ERROR_BYTES = 10_000

/** The words of the gateway, which says why a file is not there. */
async function reasonOf({ status, body }: Response): Promise<string> {
  const answer = `the server answered with status ${status}`
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    parts.push(part)
    bytes += part.length
    if (bytes > MAX_ERROR_BYTES) return answer
  }
  try {
    const read: unknown = JSON.parse(Buffer.concat(parts).toString())
    const { error } = Object(read) as { error?: { message?: unknown } | null }
    const message = error?.message
    return typeof message === 'string' ? `${answer}: ${message.slice(0, LONGEST_REASON)}` : answer
  } catch {
    return answer
  }
}
