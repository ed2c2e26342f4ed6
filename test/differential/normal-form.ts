/** An HTTP answer without the parts that may differ: texts, order of keys, names of servers, JSON or event stream. */

export interface NormalForm {
  status: number
  /** Of 405. */
  allow?: string
  /** Methods of the notifications before the answer, in order. */
  before?: string[]
  /**
   * `empty`, one answer, the answers to an array ordered by id, or `other` for a body that is not JSON-RPC. The body of
   * a 405 is for people.
   */
  body: 'empty' | 'other' | Answer | Answer[]
}

export type Answer =
  | { id: unknown; result: unknown }
  | { id: unknown; error: { code: number; data?: Record<string, unknown> } }

/** The fields of error data that programs read; the rest is for people. */
const DATA = ['supported', 'requested', 'requiredCapabilities', 'uri']

/** @param asked body of the request: an event stream does not distinguish one answer from an array of one. */
export async function normalForm(response: Response, asked?: string): Promise<NormalForm> {
  const { status, headers } = response
  const text = await response.text()
  if (status === 405) return { status, allow: headers.get('allow') ?? 'nothing', body: 'other' }
  if (text === '') return { status, body: 'empty' }
  if (headers.get('content-type')?.startsWith('text/event-stream')) {
    const messages = eventData(text).flatMap((data) => JSON.parse(data) as unknown)
    const answers = messages.filter((message) => !isNotification(message))
    const before = messages.filter(isNotification).map(({ method }) => method)
    return {
      status,
      ...(before.length > 0 && { before }),
      body: asked?.startsWith('[') ? answersOf(answers) : onlyAnswer(answers),
    }
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { status, body: 'other' }
  }
  return { status, body: Array.isArray(value) ? answersOf(value) : answerOf(value) }
}

function eventData(text: string): string[] {
  return text.split(/\r?\n\r?\n/).flatMap((event) => {
    const data = event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
    const joined = data.map((line) => line.slice('data:'.length).trimStart()).join('\n')
    return joined === '' ? [] : [joined]
  })
}

function isNotification(value: unknown): value is { method: string } {
  return isObject(value) && typeof value.method === 'string' && !('id' in value)
}

function onlyAnswer(answers: unknown[]): Answer | 'other' {
  return answers.length === 1 ? answerOf(answers[0]) : 'other'
}

/** In an event stream they come in any order. */
function answersOf(values: unknown[]): Answer[] | 'other' {
  const answers = values.map(answerOf).filter((answer) => answer !== 'other')
  if (answers.length < values.length) return 'other'
  return answers.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
}

function answerOf(value: unknown): Answer | 'other' {
  if (!isObject(value) || value.jsonrpc !== '2.0') return 'other'
  const id = value.id ?? null
  if ('result' in value) return { id, result: resultOf(value.result) }
  if (!isObject(value.error) || typeof value.error.code !== 'number') return 'other'
  const { code, data } = value.error
  const known = isObject(data) ? Object.entries(data).filter(([key]) => DATA.includes(key)) : []
  return { id, error: { code, ...(known.length > 0 && { data: Object.fromEntries(known) }) } }
}

/** Replaces a value that is present and of the right type, but differs from server to server. */
const OWN = '(its own)'

function resultOf(result: unknown): unknown {
  if (!isObject(result)) return result
  const { _meta, serverInfo, ttlMs, cacheScope, requestState, isError, content, ...rest } = result
  const meta = Object.fromEntries(
    Object.entries(isObject(_meta) ? _meta : {}).map(([key, value]) => [
      key,
      key.endsWith('/serverInfo') && isObject(value) ? OWN : value,
    ]),
  )
  return {
    ...rest,
    ...(_meta !== undefined && { _meta: meta }),
    ...(serverInfo !== undefined && { serverInfo: isObject(serverInfo) ? OWN : serverInfo }),
    ...(ttlMs !== undefined && {
      ttlMs: Number.isInteger(ttlMs) && Number(ttlMs) >= 0 ? OWN : ttlMs,
    }),
    ...(cacheScope !== undefined && {
      cacheScope: cacheScope === 'public' || cacheScope === 'private' ? OWN : cacheScope,
    }),
    ...(requestState !== undefined && {
      requestState: typeof requestState === 'string' ? OWN : requestState,
    }),
    // A result without an error omits `isError` or sets it to false.
    ...(isError === true && { isError }),
    // The text of a failure is for people.
    ...(content !== undefined && { content: isError === true ? OWN : content }),
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
