/**
 * What a gateway reports to the host in headers of its responses. No client and no component receives them, and those
 * of a component that is not a gateway are dropped.
 */
import type { HeaderEntry } from '../http/header-rules.ts'
import type { GatewayReport, HttpResponse } from '../http/messages.ts'
import type { GuestRequest } from '../instance/services.ts'

/** The authenticated caller, in printable ASCII. */
const PRINCIPAL = 'ftl-authenticated'

/** How many calls the request has. */
const CALLS = 'ftl-calls'

/** The caller may read `GET /activity`. */
const ACTIVITY = 'ftl-activity'

const NAMES: readonly string[] = [PRINCIPAL, CALLS, ACTIVITY]

/** What a gateway authenticates a request by. */
const CREDENTIALS = ['authorization', 'x-forwarded-user', 'x-forwarded-user-secret']

const MAX_PRINCIPAL = 1024

/** The response without the headers; the report is noted in the call tree of the request. */
export function takeReport(
  request: GuestRequest,
  response: HttpResponse,
  isGateway: boolean,
): HttpResponse {
  const { headers } = response
  if (!headers.some(([name]) => NAMES.includes(name))) return response
  const { tree } = request
  if (isGateway && tree && hasCredentialsOfClient(request)) {
    Object.assign(tree.report, reportIn(headers))
    // Another component that was answered so has no right to more than this answer.
    if (request.depth === 0 && only(headers, ACTIVITY) === 'allowed') tree.report.activity = true
  }
  return {
    ...response,
    headers: headers.filter(([name]) => !NAMES.includes(name)),
  }
}

/**
 * A component can call the gateway with another credential than the client's. What the gateway says then is not about
 * the client.
 */
function hasCredentialsOfClient({ depth, headers, tree }: GuestRequest): boolean {
  if (depth === 0) return true
  return CREDENTIALS.every((name) => only(headers, name) === tree?.outside(name))
}

function only(headers: readonly HeaderEntry[], wanted: string): string | undefined {
  const [first, second] = headers.filter(([name]) => name === wanted)
  return second === undefined ? first?.[1] : undefined
}

function reportIn(headers: readonly HeaderEntry[]): GatewayReport {
  const principal = only(headers, PRINCIPAL)
  const calls = Number(only(headers, CALLS))
  return {
    ...(principal !== undefined &&
      principal !== '' &&
      principal.length <= MAX_PRINCIPAL && { principal }),
    ...(Number.isSafeInteger(calls) && calls > 1 && { calls }),
  }
}
