/** The component with a server where each user signs in, and its authorization server, in this process. */
import { memoryPlatform } from 'ftl-platform/memory'
import { toComponent } from 'ftl-sdk/serve'
import { tools } from '../../main.ts'

export const SERVER = 'https://mcp.example/mcp'
export const ISSUER = 'https://login.example'
export const GATEWAY = 'https://gateway.example'

type Json = Record<string, unknown>

export interface Result {
  content: { text: string }[]
  structuredContent?: Json
  isError?: boolean
}

const component = toComponent({ tools }, 'remote')

export interface Settings {
  /** Further members of the metadata, or other ones. */
  metadata?: Json
  /** Members of the metadata of the server. */
  resource?: Json
  /** Of the answers with tokens. */
  tokens?: Json
  /** Answers requests to the token endpoint. @default with tokens */
  token?: (form: URLSearchParams, request: Request) => Response | undefined
  /** Answers registrations. @default with a new id each time */
  register?: () => Response | undefined
  /** Results of the server, by method. */
  results?: (method: string, token: string, id: number) => Json | Response | undefined
  variables?: Record<string, string>
  conditionalWrites?: boolean
  now?: () => number
}

export function startWorld(settings: Settings = {}) {
  const requests: { url: string; body: string }[] = []
  let registered = 0
  let codes = 0
  const platform = memoryPlatform({
    conditionalWrites: settings.conditionalWrites ?? true,
    now: settings.now ?? Date.now,
    variables: {
      remote_servers: JSON.stringify({ tracker: { url: SERVER, auth: 'consent' } }),
      remote_key: 'a-key-for-tests-of-32-characters!',
      remote_address: GATEWAY,
      ...settings.variables,
    },
    async fetch(input, init) {
      const request = new Request(input, init)
      const { url, headers } = request
      const body = await request.clone().text()
      requests.push({ url, body })
      if (url === SERVER) return serve(body, headers.get('authorization') ?? '')
      const { pathname, origin } = new URL(url)
      if (pathname === '/.well-known/oauth-protected-resource/mcp') {
        return Response.json({
          resource: SERVER,
          authorization_servers: [ISSUER],
          ...settings.resource,
        })
      }
      if (pathname === '/.well-known/oauth-authorization-server') {
        return Response.json({
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/reg`,
          code_challenge_methods_supported: ['S256'],
          ...settings.metadata,
        })
      }
      if (pathname === '/reg') {
        const client = { ...(JSON.parse(body) as Json), client_id: `client-${++registered}` }
        return settings.register?.() ?? Response.json(client, { status: 201 })
      }
      if (pathname === '/token') {
        const given = settings.token?.(new URLSearchParams(body), request)
        const tokens = {
          access_token: `token-of-${new URLSearchParams(body).get('code') ?? 'renewal'}`,
          token_type: 'Bearer',
          ...settings.tokens,
        }
        return given ?? Response.json(tokens)
      }
      return new Response('', { status: 404 })
    },
  })

  function serve(body: string, authorization: string): Response {
    if (authorization === '') return new Response('', { status: 401 })
    const { id, method, params } = JSON.parse(body) as { id?: number; method: string; params: Json }
    if (id === undefined) return new Response(null, { status: 202 })
    const token = authorization.slice('Bearer '.length)
    const result =
      settings.results?.(method, token, id) ??
      {
        initialize: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {}, resources: {} },
        },
        'tools/list': { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] },
        'resources/list': {
          resources: [
            { uri: `note://secret-of-${token}`, name: 'a note' },
            { uri: 'ui://page', name: 'a page' },
          ],
        },
        'resources/templates/list': { resourceTemplates: [] },
        'resources/read': { contents: [{ uri: params?.['uri'], text: `read with ${token}` }] },
        'tools/call': { content: [{ type: 'text', text: `called with ${token.toUpperCase()}` }] },
      }[method]
    if (result instanceof Response) return result
    return Response.json({ jsonrpc: '2.0', id, ...(result ? { result } : { error: NOT_FOUND }) })
  }

  /** Without what goes on after it. */
  const answer = (request: Request) => component.fetch(request, platform)
  const send = async (request: Request) => {
    const response = await answer(request)
    await platform.settled()
    return response
  }
  const internal = (user: string | undefined, path: string, body?: Json) => {
    const headers = new Headers({
      'content-type': 'application/json',
      'spin-client-addr': '0.0.0.0:0',
    })
    if (user !== undefined) headers.set('ftl-principal', user)
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    return send(new Request(`http://remote.spin.internal${path}`, init))
  }
  const call = async (user: string | undefined, name: string, args: Json = {}) =>
    (await (await internal(user, `/${name}`, args)).json()) as Result
  const linkOf = async (user: string) => {
    const { structuredContent } = await call(user, 'sign_in', { server: 'tracker' })
    return String(structuredContent?.['url'])
  }

  /** A browser with one cookie. */
  const openBrowser = () => {
    let cookie = ''
    const request = async (address: string | URL, form?: Record<string, string>) => {
      const headers = { cookie, 'spin-client-addr': '203.0.113.7:4711' }
      const init = form ? { method: 'POST', headers, body: new URLSearchParams(form) } : { headers }
      const response = await send(new Request(address, init))
      const [set] = response.headers.getSetCookie()
      if (set !== undefined) cookie = set.split(';')[0] ?? ''
      return { response, text: await response.clone().text() }
    }
    const begin = async (link: string) => {
      const { text } = await request(link)
      const fields = [...text.matchAll(/name="(\w+)" value="([^"]*)"/g)]
      const form = Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
      const { response, text: problem } = await request(new URL('start', link), form)
      const location = response.headers.get('location')
      if (location === null) throw new Error(`${response.status}: ${problem}`)
      return new URL(location)
    }
    /** What the authorization server sends the browser back to. */
    const answerTo = (authorize: URL, parameters: Record<string, string> = {}) => {
      const back = new URL(authorize.searchParams.get('redirect_uri') ?? '')
      const state = authorize.searchParams.get('state') ?? ''
      back.search = new URLSearchParams({
        code: `code-${++codes}`,
        state,
        ...parameters,
      }).toString()
      return back
    }
    return { request, begin, answerTo }
  }

  /** @returns the page at the end. */
  const signInPage = async (user: string, parameters?: Record<string, string>) => {
    const browser = openBrowser()
    const authorize = await browser.begin(await linkOf(user))
    return (await browser.request(browser.answerTo(authorize, parameters))).text
  }
  return {
    requests,
    settings,
    platform,
    answer,
    send,
    call,
    internal,
    linkOf,
    openBrowser,
    signInPage,
    registered: () => registered,
    async signIn(user: string, parameters?: Record<string, string>) {
      const text = await signInPage(user, parameters)
      const code = /class="code">([^<]+)</.exec(text)?.[1]
      if (code === undefined) throw new Error(text)
      return call(user, 'sign_in', { server: 'tracker', code })
    },
  }
}

const NOT_FOUND = { code: -32601, message: 'no such method' }
