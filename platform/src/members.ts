/**
 * Several components in one file: each member has its own variables, stores, files and calls, as if it were a component.
 *
 * This prevents mistakes, not attacks: all members run in one sandbox, and code that wants to can go past its view.
 *
 * @module
 */
import { memberPlatform } from './member-platform.ts'
import type { Platform } from './platform.ts'

/** One component of the file. */
export interface Member {
  /** By which others call it: `http://{name}.spin.internal`. */
  name: string
  /** The variables it sees, with their names in the component. */
  variables: Readonly<Record<string, string>>
  /** Labels of the key-value stores that it may open. */
  stores: readonly string[]
  /** Folders of its mounts, with the folders of the component in which they are. */
  files: Readonly<Record<string, string>>
  /** Names of components that it may call; `*` for all. */
  calls: readonly string[]
  /** Routes of clients' requests to it, as in `spin.toml`. */
  routes: readonly string[]
  answer: Answer
}

export type Answer = (request: Request, platform: Platform) => Promise<Response>

/** Names the member that a request of the gateway is for, where no member has a route: `COMPONENT_HEADER` of ftl-contract. */
const MEMBER_HEADER = 'ftl-component'

/** Answers each request with the member that it is for. */
export function serveMembers(members: readonly Member[]): Answer {
  const byName = new Map(members.map((member) => [member.name, member]))
  const routed = members
    .flatMap((member) => member.routes.map((route) => ({ member, route: toRoute(route) })))
    .sort((a, b) => compare(a.route, b.route))
  const find = (request: Request): Member | undefined => {
    // With a public route, the header could come from a client.
    if (routed.length === 0) return byName.get(request.headers.get(MEMBER_HEADER) ?? '')
    const { pathname } = new URL(request.url)
    return routed.find(({ route }) => matches(route, pathname))?.member
  }
  return async (given, platform) => {
    const request = routed.length > 0 ? withoutCaller(given) : given
    const member = find(request)
    if (member) {
      const own = routed.length > 0 ? request : addressed(request, member.name)
      return member.answer(own, memberPlatform(member, byName, platform))
    }
    return routed.length > 0 ? new Response(null, { status: 404 }) : unnamed([...byName.keys()])
  }
}

/** How a gateway names a caller: one among the members, or another component, whose requests come through no socket. */
const OF_GATEWAY = ['ftl-principal', 'ftl-caller']
const OF_COMPONENT = /(?:^|, ?)0\.0\.0\.0:0$/

function withoutCaller(request: Request): Request {
  if (!OF_GATEWAY.some((name) => request.headers.has(name))) return request
  if (OF_COMPONENT.test(request.headers.get('spin-client-addr') ?? '')) return request
  const headers = new Headers(request.headers)
  for (const name of OF_GATEWAY) headers.delete(name)
  return new Request(request, { headers })
}

/** The request as a component of this name would get it: a component reads its name from the address. */
function addressed(request: Request, name: string): Request {
  const path = request.url.replace(/^[^:]+:\/\/[^/?#]*/, '')
  return new Request(`http://${name}.spin.internal${path}`, request)
}

interface Route {
  /** Without a slash at its end. */
  path: string
  isWildcard: boolean
}

function toRoute(text: string): Route {
  const isWildcard = /\/(\.\.\.|\*)$/.test(text)
  return { path: text.replace(/\/(\.\.\.|\*)?$/, ''), isWildcard }
}

/** The longest route first; of two with one path, the exact one. */
function compare(a: Route, b: Route): number {
  return b.path.length - a.path.length || Number(a.isWildcard) - Number(b.isWildcard)
}

function matches({ path, isWildcard }: Route, pathname: string): boolean {
  const plain = pathname.replace(/\/$/, '')
  return plain === path || (isWildcard && pathname.startsWith(`${path}/`))
}

function unnamed(names: readonly string[]): Response {
  const message = `This component has several members: name one of ${names.join(', ')} in the header ${MEMBER_HEADER}.`
  return new Response(JSON.stringify({ error: { code: 'not_found', message } }), {
    status: 404,
    headers: { 'content-type': 'application/json' },
  })
}
