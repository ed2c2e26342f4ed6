/** A component with one server whose tokens are exchanged, on a host that the test controls: each part of it can be hostile. */
import { memoryPlatform } from 'ftl-platform/memory'
import { toComponent } from 'ftl-sdk/serve'
import { sha256 } from 'ftl-http'
import { tools } from '../../main.ts'
import { answerWhoami } from './whoami-server.ts'

export const SERVER = 'https://mcp.example/mcp'
export const ISSUER = 'https://login.example'
export const SECRET = 'the-secret/of+ftl&more'
export const CALLER = 'callers.token/of+ann'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

interface Answer {
  content?: { text: string }[]
  isError?: boolean
  _meta?: unknown
}

interface Hostile {
  url?: string
  headers?: Record<string, string>
  /** Answers the token endpoint, at the address that was asked. @default a token */
  token?: (form: URLSearchParams, address: string) => Response | Promise<Response> | undefined
  /** The address of the token endpoint in the metadata. */
  endpoint?: () => string
  /** Answers a call of the tool with this token. */
  called?: (token: string) => Response | undefined
}

export function startHostile({
  url = SERVER,
  headers = {},
  token,
  endpoint = () => `${ISSUER}/token`,
  called,
}: Hostile = {}) {
  /** Addresses and bodies, with the token of the request. */
  const requests: { address: string; body: string; authorization: string }[] = []
  const platform = memoryPlatform({
    variables: {
      remote_servers: JSON.stringify({
        tracker: {
          url,
          headers,
          auth: { type: 'exchange', issuer: ISSUER, clientId: 'ftl', clientSecret: SECRET },
        },
      }),
      remote_key: 'a-key-for-tests-of-32-characters!',
    },
    async fetch(input, init) {
      const request = new Request(input, init)
      const address = request.url
      const body = await request.text()
      const authorization = request.headers.get('authorization') ?? ''
      requests.push({ address, body, authorization })
      if (address === url) return serve(body, authorization.slice('Bearer '.length))
      if (address === `${ISSUER}/.well-known/oauth-authorization-server`) {
        return Response.json({ issuer: ISSUER, token_endpoint: endpoint() })
      }
      const form = new URLSearchParams(body)
      if (!form.has('grant_type')) return new Response('', { status: 404 })
      const given = form.has('subject_token') ? await token?.(form, address) : undefined
      const access_token = `for-${(await sha256(form.get('subject_token') ?? '')).slice(0, 16)}`
      return given ?? tokenAnswer(access_token)
    },
  })

  /** @param used the token of the request. */
  function serve(body: string, used: string): Response {
    const given = body.includes('"tools/call"') ? called?.(used) : undefined
    return given ?? answerWhoami(body, used)
  }

  const component = toComponent({ tools }, 'remote')
  async function call(user: string, caller: string, more: Record<string, string> = {}) {
    const headers = {
      'content-type': 'application/json',
      'spin-client-addr': '0.0.0.0:0',
      'ftl-principal': user,
      'ftl-caller-token': caller,
      ...more,
    }
    const request = new Request('http://remote.spin.internal/whoami', {
      method: 'POST',
      headers,
      body: '{}',
    })
    const response = await component.fetch(request, platform)
    return (await response.json()) as Answer
  }
  return { call, requests }
}

export const tokenAnswer = (access_token: string, more: object = {}) =>
  Response.json({
    access_token,
    issued_token_type: ACCESS_TOKEN,
    token_type: 'Bearer',
    expires_in: 300,
    ...more,
  })

export const textOf = ({ content }: Answer) => content?.[0]?.text ?? ''
/** Calls of the tool that reached the server. */
export const callsIn = (requests: { body: string }[]) =>
  requests.filter(({ body }) => body.includes('"tools/call"'))
export const sentTo = (requests: { address: string; authorization: string }[], address: string) =>
  requests.filter((each) => each.address === address).map((each) => each.authorization)
