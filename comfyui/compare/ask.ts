/** Asks one server: a request, or a prompt with the messages of its WebSocket. Every answer has a limit. */
import { WebSocket } from 'ws'
import type { Probe } from './probes.ts'

/** Milliseconds for one answer. */
const TIMEOUT_MS = 20_000
/** Milliseconds for the small prompt to run. */
const RUN_TIMEOUT_MS = 60_000
/** Milliseconds after the end of a prompt in which its last message comes. */
const LAST_MESSAGE_MS = 1_000
/** Bytes of an answer, and of a message. */
const MAX_BYTES = 8 * 1024 * 1024
/** Messages of one prompt; three nodes have about thirty. */
const MAX_MESSAGES = 1_000

/** The server cannot be compared: it is not there, or does not answer as any ComfyUI would. */
export class Unusable extends Error {}

export interface Answer {
  status: number
  headers: Headers
  /** Parsed, if it is JSON. */
  body: unknown
}

/** @throws {Unusable} */
export async function ask(url: string, probe: Probe): Promise<Answer> {
  const { method = 'GET', path, headers = {}, json, text, upload } = probe
  const body = text ?? (json === undefined ? undefined : JSON.stringify(json))
  if (upload !== undefined) return send(url + path, { method, headers, body: form(upload) })
  const all = body === undefined ? headers : { 'content-type': 'application/json', ...headers }
  return send(url + path, { method, headers: all, body })
}

async function send(
  url: string,
  init: { method: string; headers: Record<string, string>; body: string | FormData | undefined },
): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(url, {
      ...init,
      body: init.body ?? null,
      redirect: 'manual',
      signal,
    })
    const { status, headers } = response
    return { status, headers, body: parsed(await readLimited(response)) }
  } catch (error) {
    if (error instanceof Unusable) throw error
    const { name, cause } = error as Error & { cause?: { code?: string } }
    const why =
      name === 'TimeoutError'
        ? `no answer within ${TIMEOUT_MS / 1000} s`
        : (cause?.code ?? 'the connection broke')
    throw new Unusable(`${new URL(url).pathname}: ${why}`)
  }
}

async function readLimited(response: Response): Promise<string> {
  let bytes = 0
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    bytes += (chunk as Uint8Array).length
    if (bytes > MAX_BYTES)
      throw new Unusable(`${new URL(response.url).pathname}: more than ${MAX_BYTES} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A PNG of one pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function form(name: string): FormData {
  const data = new FormData()
  data.set('image', new File([Buffer.from(PNG, 'base64')], name, { type: 'image/png' }))
  data.set('overwrite', 'true')
  return data
}

export interface Run {
  submitted: Answer
  /** Messages about this prompt, in order; others may use the server at the same time. */
  messages: Record<string, unknown>[]
}

/** Runs a prompt and collects its messages until it has ended. @throws {Unusable} */
export async function run(
  url: string,
  prompt: unknown,
  ids: { promptId: string; clientId: string },
): Promise<Run> {
  const { promptId, clientId } = ids
  const address = new URL(`/api/ws?clientId=${clientId}`, url)
  address.protocol = address.protocol.replace('http', 'ws')
  const socket = new WebSocket(address, {
    maxPayload: MAX_BYTES,
    handshakeTimeout: TIMEOUT_MS,
    followRedirects: false,
  })
  const messages: Record<string, unknown>[] = []
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  let last: ReturnType<typeof setTimeout> | undefined
  const timer = setTimeout(
    () => reject(new Unusable(`the prompt did not end within ${RUN_TIMEOUT_MS / 1000} s`)),
    RUN_TIMEOUT_MS,
  )
  socket.on('message', (data: Buffer, isBinary) => {
    const message = isBinary ? undefined : aboutPrompt(parsed(data.toString()), promptId)
    if (!message) return
    messages.push(message)
    if (isLast(message)) resolve(undefined)
    else if (/^execution_(?:success|error|interrupted)$/.test(String(message.type)))
      last = setTimeout(() => resolve(undefined), LAST_MESSAGE_MS)
    if (messages.length > MAX_MESSAGES)
      reject(new Unusable(`more than ${MAX_MESSAGES} messages for one prompt`))
  })
  socket.on('close', () => reject(new Unusable('the WebSocket was closed before the prompt ended')))
  socket.on('error', (error) => reject(new Unusable(`WebSocket: ${error.message.slice(0, 200)}`)))
  try {
    // Fails with the promise if the socket does, and is observed even if nothing waits for it.
    promise.catch(() => {})
    await Promise.race([promise, new Promise((opened) => socket.once('open', opened))])
    const json = { prompt, prompt_id: promptId, client_id: clientId }
    const submitted = await ask(url, { name: '', method: 'POST', path: '/api/prompt', json })
    if (submitted.status === 200) await promise
    return { submitted, messages }
  } finally {
    clearTimeout(timer)
    clearTimeout(last)
    socket.terminate()
  }
}

/** After the event of the end, the server says that no node runs any more. */
function isLast({ type, data }: Record<string, unknown>): boolean {
  return type === 'executing' && (data as { node?: unknown } | undefined)?.node === null
}

function aboutPrompt(value: unknown, promptId: string): Record<string, unknown> | undefined {
  const message = value as { data?: { prompt_id?: unknown } } | null
  return message?.data?.prompt_id === promptId ? (value as Record<string, unknown>) : undefined
}
