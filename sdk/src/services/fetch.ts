import type { ToolContext } from '../tool/context.ts'
import { ConfigurationError } from '../tool/errors.ts'

type Caller = Pick<ToolContext, 'platform' | 'component' | 'signal'>
type Input = string | URL | Request

const URL_START = /^https?:\/\//

/**
 * Aborts a request at the deadline, but only until its response begins: when an aborted body ends, the engine fails in
 * its own code, and all other answers of the instance are lost.
 *
 * @param allow the entry that `allowed_outbound_hosts` needs. @default the origin of `input`
 */
export async function fetchFor(
  caller: Caller,
  input: Input,
  init: RequestInit = {},
  allow?: string,
): Promise<Response> {
  const signals = [caller.signal, init.signal].filter((signal) => signal != null)
  const controller = new AbortController()
  const abort = () => controller.abort(signals.find(({ aborted }) => aborted)?.reason)
  if (signals.some(({ aborted }) => aborted)) abort()
  for (const signal of signals) signal.addEventListener('abort', abort)
  try {
    return await caller.platform.fetch(input, { ...init, signal: controller.signal })
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason
    throw unreachable(caller.component, allow ?? originOf(input), error, addressOf(input).length)
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', abort)
  }
}

// Only some hosts report that they refused the request, and not that the server did not answer.
function unreachable(
  component: string,
  allow: string,
  cause: unknown,
  length: number,
): ConfigurationError {
  const why = cause instanceof Error ? cause.message : String(cause)
  // Many servers refuse longer ones, some by closing the connection.
  if (length > 4000)
    return new ConfigurationError(`${allow}: ${why}. The URL has ${length} characters`, { cause })
  const reason = why.includes('HttpRequestDenied')
    ? `spin.toml does not allow requests to ${allow}`
    : `${allow} cannot be reached (${why}). If the server is up, spin.toml does not allow it`
  return new ConfigurationError(
    `${reason}. Add to spin.toml:\n` +
      `  [component.${component}]\n  allowed_outbound_hosts = ["${allow}"]`,
    { cause },
  )
}

// A text, or what becomes its address as a text.
const addressOf = (input: Input): string =>
  `${(input as Partial<Request>).url ?? (input as string)}`

function originOf(input: Input): string {
  const address = addressOf(input)
  if (URL_START.test(address)) return new URL(address).origin
  throw new TypeError(`fetch("${address}"): give the whole address, such as "https://example.com/"`)
}
