/** One HTTP request, of the arguments of a call. */
import type { ApiOperation, ApiParameter, ApiPlan } from 'ftl-contract'
import { ToolError } from '../tool/errors.ts'
import { bodyOf } from './body.ts'
import type { Credentials } from './credentials.ts'
import { urlOf } from './request-url.ts'
import { refuseInexact, refuseTaken } from './refusals.ts'
import { encode, HEADER_VALUE, headerText, pairsOf } from './styles.ts'

export interface ApiRequest {
  url: string
  method: string
  headers: Headers
  body?: string | Uint8Array<ArrayBuffer>
}

export interface Sender {
  credentials: Credentials
  /** Sent with every request, unless an argument is for the same header. */
  headers?: Readonly<Record<string, string>>
  boundary: string
}

/** What methods without a body in their meaning are sent with: nothing. */
const BARE = ['GET', 'HEAD', 'DELETE']

/** @throws {ToolError} that names the argument. */
export function requestOf(
  plan: Pick<ApiPlan, 'server' | 'credentials'>,
  operation: ApiOperation,
  args: ReadonlyMap<string, unknown>,
  { credentials, headers: fixed = {}, boundary }: Sender,
): ApiRequest {
  const { method, body: planned, server = plan.server } = operation
  const given = operation.parameters.flatMap((parameter): [ApiParameter, unknown][] => {
    const value = args.get(parameter.argument)
    return value == null ? [] : [[parameter, value]]
  })
  refuseInexact(operation, args)
  refuseTaken(operation, args, plan.credentials)
  const inPlace = (place: ApiParameter['in']) => given.filter(([each]) => each.in === place)
  const pairs = (place: 'query' | 'cookie', secret: Credentials['query']) => [
    ...inPlace(place).flatMap(([parameter, value]) => pairsOf(parameter, value)),
    ...secret.map(([name, value]) => `${encode(name)}=${encode(value)}`),
  ]
  const url = urlOf(server, operation, args, pairs('query', credentials.query))
  // GitHub answers requests without a User-Agent with 403.
  const headers = new Headers({
    ...{ accept: ACCEPT, 'accept-encoding': 'identity', 'user-agent': 'ftl-mcp-gateway' },
    ...fixed,
  })
  for (const [parameter, value] of inPlace('header')) {
    const text = headerText(parameter, value)
    if (!HEADER_VALUE.test(text)) {
      throw new ToolError(
        `${parameter.argument}: must have no line breaks and only characters of Latin-1: it is sent in a header`,
      )
    }
    headers.set(parameter.name, text)
  }
  const cookies = pairs('cookie', credentials.cookies)
  if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
  for (const [name, value] of credentials.headers) headers.set(name, value)
  const body = planned && bodyOf(planned, args, boundary)
  const isEmpty = body?.content === '{}' || body?.content === ''
  if (!body || (isEmpty && BARE.includes(method))) return { url, method, headers }
  headers.set('content-type', body.mediaType)
  return { url, method, headers, body: body.content }
}

const ACCEPT = 'application/json, */*;q=0.8'
