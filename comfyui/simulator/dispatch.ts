/** From a request to its answer, through whatever trouble is switched on. */
import type { IncomingMessage } from 'node:http'
import { answerControl, type Control, CONTROL_PATH } from './control.ts'
import { type Faults, take } from './faults.ts'
import {
  addressOf,
  type Answer,
  createCall,
  empty,
  HttpFailure,
  INTERNAL_ERROR,
  methodNotAllowed,
  NO_SUCH_PAGE,
} from './http.ts'
import { ROUTES, type Site } from './routes.ts'

const UNAUTHORIZED: Answer = {
  status: 401,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: '401: Unauthorized',
}

const BAD_GATEWAY: Answer = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: '<html><head><title>502 Bad Gateway</title></head></html>',
}

/** @returns `undefined` when the connection is to be closed without an answer. */
export async function dispatch(
  request: IncomingMessage,
  site: Site,
  control: Control,
): Promise<Answer | undefined> {
  const address = addressOf(request)
  if (!address) return empty(400)
  const { pathname, searchParams } = address
  const { faults } = control
  if (pathname === CONTROL_PATH) {
    const call = createCall(request, searchParams, '', faults.maxBodyBytes)
    return guarded(() => answerControl(call, request.method ?? 'GET', control))
  }
  if (faults.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, faults.delayMs))
  if (!isAuthorized(request.headers, faults)) return UNAUTHORIZED
  if (take(faults, 'badGateway')) return BAD_GATEWAY
  const path = pathname.replace(/^\/api(?=\/)/, '')
  const isApi = path !== pathname
  const isSubmit = request.method === 'POST' && path === '/prompt'
  if (isSubmit && take(faults, 'loseRequests')) return undefined
  const answer = await route(request, searchParams, { path, isApi }, site)
  const accepted = isSubmit && answer.status === 200
  return accepted && take(faults, 'loseReplies') ? undefined : answer
}

/** @param token what a WebSocket, which may be unable to send headers, has in its address. */
export function isAuthorized(
  headers: IncomingMessage['headers'],
  { auth }: Faults,
  token?: string | null,
): boolean {
  return !auth || headers[auth.header.toLowerCase()] === auth.value || token === auth.value
}

async function route(
  request: IncomingMessage,
  query: URLSearchParams,
  { path, isApi }: { path: string; isApi: boolean },
  site: Site,
): Promise<Answer> {
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const there = ROUTES.filter(
    (route) => (!route.jobs || (isApi && site.traits.jobs)) && route.path.test(path),
  )
  if (method === 'OPTIONS' && there.length > 0) return empty(200)
  for (const route of there) {
    const match = route.method === method && route.path.exec(path)
    if (!match) continue
    return guarded(() => {
      const { maxBodyBytes } = site.faults
      const call = createCall(request, query, decodeURIComponent(match[1] ?? ''), maxBodyBytes)
      return route.handle(call, site)
    })
  }
  if (method === 'GET') return NO_SUCH_PAGE
  return methodNotAllowed(there.some((route) => route.method === 'POST'))
}

async function guarded(work: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    return error instanceof HttpFailure ? error.answer : INTERNAL_ERROR
  }
}
