/** Sends requests exactly as given: no header is added, merged or corrected, so that invalid ones arrive too. */
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

export interface Outgoing {
  /** @default POST */
  method?: string
  /** Names and values; a name can be repeated. */
  headers: readonly (readonly [string, string])[]
  body?: string
}

export interface Answer {
  /** 0 if there was no response. */
  status: number
  headers: Headers
  /** At most 256 KiB. An event stream is left after 2 s. */
  text: string
}

const LIMIT = 256 * 1024
const RESPONSE_MS = 15_000
const STREAM_MS = 2_000

export interface HttpClient {
  send(url: URL, outgoing: Outgoing): Promise<Answer>
  close(): void
}

/** Requests are sent one after the other on one connection, as long as the server keeps it. */
export function createHttpClient(): HttpClient {
  const options = { keepAlive: true, maxSockets: 1 }
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) }
  return {
    send: (url, outgoing) =>
      new Promise((resolve) => {
        const { method = 'POST', headers, body } = outgoing
        const secure = url.protocol === 'https:'
        const lines = headers.flatMap(([name, value]) => [name, value])
        const text = body ?? ''
        const flat = [
          ...['Host', url.host, ...lines],
          ...(body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(text))]),
        ]
        let answer: Answer | undefined
        const chunks: Buffer[] = []
        const done = () => {
          clearTimeout(timer)
          if (answer) answer.text = Buffer.concat(chunks).toString()
          resolve(answer ?? { status: 0, headers: new Headers(), text: '' })
        }
        const outgoingRequest = (secure ? httpsRequest : httpRequest)(
          url,
          { method, headers: flat, agent: secure ? agents.https : agents.http, setHost: false },
          (response) => {
            answer = {
              status: response.statusCode ?? 0,
              headers: headersOf(response.rawHeaders),
              text: '',
            }
            let size = 0
            const leave = () => outgoingRequest.destroy()
            const limit = setTimeout(leave, STREAM_MS)
            response.on('data', (chunk: Buffer) => {
              chunks.push(chunk)
              if ((size += chunk.length) > LIMIT) leave()
            })
            response.on('close', () => {
              clearTimeout(limit)
              done()
            })
          },
        )
        const timer = setTimeout(() => outgoingRequest.destroy(), RESPONSE_MS)
        outgoingRequest.on('error', done)
        outgoingRequest.end(text)
      }),
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers()
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at] ?? '', raw[at + 1] ?? '')
  return headers
}
