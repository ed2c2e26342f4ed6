/** From the response of an API to the result of a tool. */
import { type ApiOperation, isNested, type ToolResult } from 'ftl-contract'
import { errorResult } from '../tool/errors.ts'
import { ToolResponse } from '../tool/answer-builders.ts'
import { type Credentials, redacted } from './credentials.ts'
import { exactValue, plainEscapes } from './json-text.ts'
import { advice, nextPage } from './paging.ts'
import { readBody } from './read-body.ts'
import type { Sent } from './send.ts'
import { shortened } from './shorten.ts'

export interface ResultOptions {
  credentials: Credentials
  /** Characters of a result. */
  maxCharacters: number
  url: string
}

/** Bytes of a response that are read. */
const MAX_BYTES = 4 * 1024 * 1024
/** Bytes of a picture or sound that is returned. */
const MAX_MEDIA = 1024 * 1024
const MAX_ERROR = 2_000

const JSON_TYPE = /^[^;]*[/+]json\b/
const TEXT_TYPE =
  /^(text\/|application\/(.*\+)?(xml|yaml|x-yaml|javascript|x-www-form-urlencoded|x-ndjson|graphql)\b)/
const PICTURE = /^image\/(png|jpeg|gif|webp)$/

export async function resultOf(
  { response, elsewhere, isEndless }: Sent,
  operation: ApiOperation,
  options: ResultOptions,
): Promise<ToolResult> {
  const { secrets } = options.credentials
  if (elsewhere !== undefined) {
    await response.body?.cancel()
    const why = isEndless
      ? 'it redirects too often'
      : `the credentials are for ${new URL(options.url).origin} alone`
    const text = `HTTP ${response.status}: the API redirects to ${redacted(elsewhere, secrets)}. This was not followed: ${why}.`
    return operation.method === 'GET' && !isEndless ? ToolResponse.text(text) : errorResult(text)
  }
  const { bytes, isCut } = await readBody(response, MAX_BYTES)
  const [type = ''] = (response.headers.get('content-type') ?? '').toLowerCase().split(';')
  const coding = (response.headers.get('content-encoding') ?? 'identity').trim().toLowerCase()
  if (coding !== 'identity' && bytes.length > 0) {
    return errorResult(
      `HTTP ${response.status}: the body is compressed with ${coding.slice(0, 40)}, although the request does not accept that, so it cannot be read.`,
    )
  }
  const text = () => {
    const all = new TextDecoder().decode(bytes)
    const isJson = JSON_TYPE.test(type) || /^\s*[{[]/.test(all)
    return redacted(isJson && secrets.length > 0 ? plainEscapes(all) : all, secrets)
  }
  if (response.status >= 400) return failure(response, operation, text(), options)
  if (bytes.length === 0) return ToolResponse.text(`HTTP ${response.status}, without a body.`)
  const next = nextPage(response.headers.get('link'), options.url, operation.parameters)
  const more = next === undefined ? [] : [`Next page: ${redacted(next, secrets)}.`]
  if (JSON_TYPE.test(type) || type === '') {
    const value = isCut ? undefined : exactValue(text())
    if (value !== undefined) return structured(value, operation, more, options)
    if (JSON_TYPE.test(type)) return cutText(text(), operation, more, options)
  }
  if (TEXT_TYPE.test(type)) return cutText(text(), operation, more, options)
  const size = `${bytes.length}${isCut ? ' or more' : ''} bytes`
  if (!isCut && bytes.length <= MAX_MEDIA) {
    if (PICTURE.test(type)) return ToolResponse.image(bytes, type)
    if (type.startsWith('audio/')) return ToolResponse.audio(bytes, type)
  }
  return ToolResponse.text(
    `HTTP ${response.status}: the API returned ${size} of ${type || 'an unnamed type'}, which are not text.`,
  )
}

function structured(
  value: unknown,
  operation: ApiOperation,
  more: readonly string[],
  { maxCharacters }: ResultOptions,
): ToolResult {
  const text = JSON.stringify(value)
  const cut = text.length > maxCharacters ? shortened(value, maxCharacters) : undefined
  if (text.length > maxCharacters && !cut) {
    return cutText(text, operation, more, { maxCharacters })
  }
  const shown = cut ? cut.value : value
  const notes: string[] = []
  if (cut) {
    const place = cut.path.length === 0 ? '' : ` of "${cut.path.join('.')}"`
    notes.push(
      `Only the first ${cut.shown} of ${cut.of} items${place} are shown: all of it has ${text.length} characters.`,
      advice(operation),
    )
  }
  const told = [...notes, ...more].filter((note) => note !== '')
  const content: ToolResult['content'] = [
    { type: 'text', text: cut ? JSON.stringify(shown) : text },
  ]
  if (told.length > 0) content.push({ type: 'text', text: told.join(' ') })
  return {
    content,
    // Clients of older revisions refuse everything but an object here.
    ...(isNested(shown) && { structuredContent: Array.isArray(shown) ? { items: shown } : shown }),
    ...(cut && { _meta: { 'ftl/cut': { shown: cut.shown, of: cut.of, path: cut.path } } }),
  }
}

function cutText(
  text: string,
  operation: ApiOperation,
  more: readonly string[],
  { maxCharacters }: Pick<ResultOptions, 'maxCharacters'>,
): ToolResult {
  if (text.length <= maxCharacters) return ToolResponse.content(text, ...more)
  const note = `The response has ${text.length} characters, of which the first ${maxCharacters} are shown.`
  const told = [note, advice(operation), ...more].filter((each) => each !== '').join(' ')
  return ToolResponse.content(text.slice(0, maxCharacters).toWellFormed(), told)
}

function failure(
  { status, headers }: Response,
  { method, path }: ApiOperation,
  body: string,
  { credentials, maxCharacters }: ResultOptions,
): ToolResult {
  const limit = Math.min(MAX_ERROR, maxCharacters)
  const words = body.trim()
  const shown = words.length > limit ? `${words.slice(0, limit).toWellFormed()} …` : words
  const wait = headers.get('retry-after')
  return errorResult(
    [
      `HTTP ${status} (${method} ${path})`,
      ...(shown === '' ? [] : [shown]),
      ...(wait === null
        ? []
        : [`Retry-After: ${redacted(wait.slice(0, 100), credentials.secrets)}`]),
      ...(status === 401 || status === 403 ? [refused(status, credentials)] : []),
    ]
      .filter((line) => line !== '')
      .join('\n'),
  )
}

function refused(status: number, { isSent, variables }: Credentials): string {
  if (variables.length === 0) return ''
  const names = variables.join(', ')
  if (!isSent) return `No credentials were sent. The operator of the gateway sets them: ${names}.`
  return status === 401 ? `The API refused the credentials of the operator: ${names}.` : ''
}
