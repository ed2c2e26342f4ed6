/** Reads the JSON-RPC answers of an HTTP response, and says what is wrong with their form. */
import { isObject } from '../differential/normal-form.ts'
import type { Answered } from './judge.ts'
import type { FuzzRequest } from './requests.ts'

export interface Read {
  answers: Record<string, unknown>[]
  faults: string[]
}

export function answersIn(asked: FuzzRequest, { headers, text }: Answered): Read {
  const type = headers.get('content-type') ?? 'none'
  if (type.startsWith('text/event-stream')) return fromEvents(asked, text)
  if (!type.startsWith('application/json')) return nothing(`content type ${type}`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return nothing('not JSON')
  }
  // An array answers an array only.
  if (!Array.isArray(value)) return checked([value])
  return asked.body.trimStart().startsWith('[') ? checked(value) : nothing('an array')
}

function fromEvents({ headers }: FuzzRequest, text: string): Read {
  const faults = headers.accept?.includes('text/event-stream') ? [] : ['an event stream, unasked']
  const events = text.split('\n\n').filter((event) => event !== '' && !event.startsWith(':'))
  const messages: unknown[] = []
  for (const event of events) {
    // Not a dot: it stops at U+2028, which JSON and event streams let through.
    const [, data] = /^event: message\ndata: ([^\n]*)$/.exec(event) ?? []
    if (data === undefined) return nothing('an event of another form')
    messages.push(JSON.parse(data))
  }
  const last = messages.pop()
  const isNotification = (one: unknown) =>
    isObject(one) && one.jsonrpc === '2.0' && typeof one.method === 'string' && !('id' in one)
  if (!messages.every(isNotification)) faults.push('an event before the last is no notification')
  const read = checked([last])
  return { ...read, faults: [...faults, ...read.faults] }
}

function checked(values: unknown[]): Read {
  const faults = values.flatMap((value) => {
    const fault = faultOf(value)
    return fault === undefined ? [] : [fault]
  })
  return { answers: values.filter(isObject), faults }
}

function faultOf(value: unknown): string | undefined {
  if (!isObject(value)) return 'an answer that is no object'
  const { jsonrpc, result, error } = value
  if (jsonrpc !== '2.0') return 'an answer without jsonrpc "2.0"'
  if ((result === undefined) === (error === undefined)) return 'neither or both of result and error'
  if (error === undefined) return isObject(result) ? undefined : 'a result that is no object'
  if (!isObject(error)) return 'an error that is no object'
  const { code, message } = error
  return Number.isInteger(code) && typeof message === 'string'
    ? undefined
    : 'an error without words'
}

function nothing(fault: string): Read {
  return { answers: [], faults: [fault] }
}
