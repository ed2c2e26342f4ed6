/** A model's server that speaks as OpenAI and as Ollama do, and says what a script or a few rules tell it to. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { demoTurn } from './demo-turn.ts'
import {
  type Failure,
  dueTurn,
  type Script,
  type ScriptedTurn,
  type WireMessage,
} from './script.ts'
import { type Wire, type WireName, wireOf } from './wires.ts'

export const DEMO_MODEL = 'demo'

/** More than a conversation with images has. It runs in the process of `ftl dev`. */
const MAX_BODY_BYTES = 32 * 1024 * 1024

export interface DemoModelOptions {
  /** @default 127.0.0.1 */
  host?: string
  /** 0 = any free one. @default 0 */
  port?: number
  /** @default a few rules that draw and calculate */
  script?: Script
  /** Milliseconds between two words. @default 0 */
  wordDelayMs?: number
  /** Answers with one document, whatever it is asked for. @default false */
  whole?: boolean
  /** The only key it takes. @default any */
  key?: string
  /** @default ['demo'] */
  models?: string[]
}

/** A request for an answer, as it came. */
export interface SeenRequest {
  wire: WireName
  body: {
    model: string
    messages: WireMessage[]
    tools?: { function: { name: string } }[]
  }
  authorization: string | undefined
  /** Milliseconds since the epoch at which the first word was sent. */
  answeredAt?: number
  /** The other side closed the connection before the end. */
  left: boolean
}

export interface DemoModel {
  url: string
  /** Every request for an answer, in order. */
  requests: SeenRequest[]
  close(): Promise<void>
}

const WIRES: Record<string, WireName> = {
  '/v1/chat/completions': 'openai',
  '/api/chat': 'ollama',
  '/v1/models': 'openai',
  '/api/tags': 'ollama',
}

export async function startDemoModel(options: DemoModelOptions = {}): Promise<DemoModel> {
  const { host = '127.0.0.1', port = 0, script, models = [DEMO_MODEL], key } = options
  const requests: SeenRequest[] = []
  const failed = new Map<Failure, number>()
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization } = request.headers
    const name = WIRES[request.url ?? '']
    if (isOfPage(request)) return json(response, 403, { error: 'not for web pages' })
    const text = await textOfBody(request)
    if (text === undefined) return json(response, 413, { error: 'the body is too large' })
    if (!name) return json(response, 404, { error: 'not found' })
    const wire = wireOf(name, models[0] ?? DEMO_MODEL)
    if (key !== undefined && authorization !== `Bearer ${key}`) {
      const shown = authorization?.replace('Bearer ', '') ?? 'none'
      return json(response, 401, wire.refusal(`Incorrect API key provided: ${shown}`))
    }
    if (request.method === 'GET') return json(response, 200, wire.models(models))
    const body = JSON.parse(text) as SeenRequest['body']
    const seen: SeenRequest = { wire: name, body, authorization, left: false }
    requests.push(seen)
    response.on('close', () => (seen.left = !response.writableFinished))
    if (!models.includes(body.model)) {
      return json(response, 404, wire.refusal(`model "${body.model}" not found`))
    }
    const tools = body.tools?.map((tool) => tool.function.name) ?? []
    const turn = script ? dueTurn(script, body.messages) : demoTurn(body.messages, tools)
    const { fail } = turn
    if (fail && 'status' in fail && fails(fail)) {
      const { status, message = `It is ${status}.`, retryAfter } = fail
      if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter))
      return json(response, status, wire.refusal(message))
    }
    seen.answeredAt = Date.now()
    if (options.whole) return json(response, 200, wire.whole(turn))
    await play(response, wire, turn)
  }

  function fails(fail: Failure & { times?: number }): boolean {
    const count = (failed.get(fail) ?? 0) + 1
    failed.set(fail, count)
    return count <= (fail.times ?? Infinity)
  }

  async function play(response: ServerResponse, wire: Wire, turn: ScriptedTurn): Promise<void> {
    const { content = '', thinking, calls = [], fail } = turn
    response.writeHead(200, { 'content-type': wire.type, 'cache-control': 'no-cache' })
    if (fail && 'garbage' in fail) return void response.end(fail.garbage)
    if (wire.begin() !== '') await write(response, wire.begin())
    if (thinking !== undefined) await write(response, wire.thinking(thinking))
    // Not within a character: an emoji is two units.
    const words = content.match(/\s*\S+\s*$|\s*\S+/g) ?? []
    for (const [count, word] of [...words, undefined].entries()) {
      if (fail && 'dropAfter' in fail && count === fail.dropAfter) return void response.destroy()
      if (fail && 'endAfter' in fail && count === fail.endAfter) return void response.end()
      if (fail && 'hangAfter' in fail && count === fail.hangAfter) return
      if (fail && 'errorAfter' in fail && count === fail.errorAfter) {
        return void response.end(wire.error(fail.message))
      }
      if (word === undefined) break
      await write(response, wire.word(word))
      if (options.wordDelayMs) await pause(options.wordDelayMs)
    }
    for (const piece of wire.calls(calls)) if (calls.length > 0) await write(response, piece)
    response.end(wire.end(turn))
  }

  server.listen(port, host)
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${host}:${taken}`,
    requests,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Whether a page sent it, also one that has led its own name to this machine (DNS rebinding): only programs ask a model. */
function isOfPage({ headers: { host = '', origin } }: IncomingMessage): boolean {
  const { hostname = '' } = URL.parse(`http://${host}`) ?? {}
  const name = hostname.replace(/^\[|\]$/g, '')
  return origin !== undefined || (name !== 'localhost' && isIP(name) === 0)
}

/** @returns `undefined` for a body of more than {@link MAX_BODY_BYTES}. */
async function textOfBody(request: IncomingMessage): Promise<string | undefined> {
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) return undefined
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

async function write(response: ServerResponse, text: string): Promise<void> {
  if (response.destroyed) throw new Error('the other side has gone')
  if (!response.write(text)) await Promise.race([once(response, 'drain'), once(response, 'close')])
}
