/**
 * Reads the supported forms of a call: native, MCP, OpenAI, and a list of OpenAI calls.
 *
 * @see https://platform.openai.com/docs/guides/function-calling
 */
import { isObject, isString } from 'ftl-contract'
import { BATCH_LIMIT } from '../../calls/request-limits.ts'
import { readJson } from './read-body.ts'
import { badRequest, Refusal } from '../../calls/rest-error.ts'

type Fields = Record<string, unknown>

export interface WantedCall {
  name: string
  args: Fields
  /** The call's own id, if its form has one. */
  id?: string | number
  /** Path of the arguments in the body, for error messages. */
  at: string
  /** The name may be one that was generated for OpenAI. */
  openAi?: boolean
}

/** One call, or several that are answered by tool messages. */
export type Wanted = { call: WantedCall } | { calls: ListedCall[] }

/** A call of a list; an error in it does not affect the other calls. */
export type ListedCall = { id: string } & ({ call: WantedCall } | { refusal: Refusal })

const FORMS =
  'The body must be {"tool","params"}, {"name","arguments"}, {"type":"function","function":{"name","arguments"}} or a list of the last.'

/** @throws {Refusal} */
export function readCalls(body: unknown): Wanted {
  if (Array.isArray(body)) return { calls: readList(body, '') }
  if (!isObject(body)) throw badRequest(FORMS)
  const { tool_calls: list, tool, params, method, name } = body
  if (list !== undefined) {
    if (Array.isArray(list)) return { calls: readList(list, 'tool_calls') }
    throw badRequest('tool_calls must be an array.', 'tool_calls')
  }
  if (body.function !== undefined || body.type === 'function') return { call: openAiCall(body) }
  if (method !== undefined) {
    // Also accept a whole JSON-RPC message.
    if (method !== 'tools/call') throw badRequest('The method must be tools/call.', 'method')
    if (!isObject(params)) throw badRequest('params must be an object.', 'params')
    return { call: { ...named(params, 'name', 'arguments', 'params.'), ...idOf(body) } }
  }
  if (tool !== undefined) return { call: named(body, 'tool', 'params') }
  if (name !== undefined) return { call: named(body, 'name', 'arguments') }
  throw badRequest(FORMS)
}

function named(fields: Fields, nameField: string, argsField: string, at = ''): WantedCall {
  const name = nameOf(fields[nameField], at + nameField)
  const args = fields[argsField] ?? {}
  if (isObject(args)) return { name, args, at: at + argsField }
  throw badRequest(`${at}${argsField} must be an object.`, at + argsField)
}

function nameOf(value: unknown, field: string): string {
  if (isString(value) && value !== '') return value
  throw badRequest(`${field} must be the name of a tool.`, field)
}

function idOf({ id }: Fields): { id?: string | number } {
  return isString(id) || typeof id === 'number' ? { id } : {}
}

function openAiCall(body: Fields): WantedCall {
  const { type = 'function', function: wanted } = body
  if (type !== 'function') throw badRequest('type must be "function".', 'type')
  if (!isObject(wanted)) throw badRequest('function must be an object.', 'function')
  const name = nameOf(wanted.name, 'function.name')
  const at = 'function.arguments'
  let args: unknown = wanted.arguments ?? {}
  // Some models send an empty string when they call a tool without parameters.
  if (isString(args)) args = args.trim() === '' ? {} : readJson(args, at, at)
  if (!isObject(args)) throw badRequest(`${at} must be the JSON text of an object.`, at)
  return { name, args, at, openAi: true, ...idOf(body) }
}

function readList(list: unknown[], field: string): ListedCall[] {
  // Each may cost a component call, so one request must not contain thousands.
  if (list.length === 0 || list.length > BATCH_LIMIT) {
    const message = `The list must have 1 to ${BATCH_LIMIT} calls.`
    throw badRequest(message, field || undefined)
  }
  return list.map((item, index) => {
    // Without an id its answer could not be matched to the call.
    if (!isObject(item) || !isString(item.id) || item.id === '') {
      throw badRequest('Every call must be an object with an id.', `${field}[${index}].id`)
    }
    const { id } = item
    try {
      return { id, call: openAiCall(item) }
    } catch (refusal) {
      if (refusal instanceof Refusal) return { id, refusal }
      throw refusal
    }
  })
}
