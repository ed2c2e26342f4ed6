/** The body of a request, as JSON and within limits. */
import {
  BodyTooLarge,
  contentTypeOk,
  JsonTooDeep,
  parseJson,
  readText,
  ROUNDED,
  roundedNumber,
} from 'ftl-http'
import { LARGE_ADVICE, REQUEST_LIMIT } from '../../calls/request-limits.ts'
import { badRequest, Refusal } from '../../calls/rest-error.ts'

/** @returns `undefined` for a request without a body. @throws {Refusal} */
export async function readBody(request: Request): Promise<unknown> {
  if (!contentTypeOk(request.headers)) {
    const message = 'The Content-Type must be application/json.'
    throw new Refusal(415, 'unsupported_media_type', message)
  }
  let text: string
  try {
    text = await readText(request, { limit: REQUEST_LIMIT })
  } catch (error) {
    if (!(error instanceof BodyTooLarge)) throw error
    throw new Refusal(413, 'body_too_large', `The body has ${error.message}; ${LARGE_ADVICE}.`)
  }
  return text === '' ? undefined : readJson(text, 'The body')
}

/** @param what begins the message: `The body`. @throws {Refusal} */
export function readJson(text: string, what: string, field?: string): unknown {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    if (error instanceof JsonTooDeep) throw badRequest(`${what} ${error.message}.`, field)
    throw new Refusal(400, 'invalid_json', `${what} is not JSON.`, field)
  }
  const place = roundedNumber(text, value)
  if (place === undefined) return value
  const at = field === undefined ? place : `${field}.${place}`
  throw badRequest(`${at} ${ROUNDED}.`, at)
}
