/** Reads the body of `POST /run/call`. */
import { isObject, isString } from 'ftl-contract'
import { BodyTooLarge, parseJson, readText } from 'ftl-http'
import { REQUEST_LIMIT } from '../calls/request-limits.ts'
import { RunError } from './run-error.ts'

/** A call as a program makes it. */
export interface ProgramCall {
  /** From 1, in the order in which the program started its calls. */
  seq: number
  component: string
  /** By the name its component gave it. */
  tool: string
  args: Record<string, unknown>
}

/** @throws {RunError} */
export async function readCall(request: Request): Promise<ProgramCall> {
  const { seq, component, tool, arguments: args = {} } = await readObject(request)
  if (!(Number.isSafeInteger(seq) && (seq as number) > 0)) {
    throw invalid('"seq" must be a whole number from 1')
  }
  if (!isString(component) || !isString(tool)) {
    throw invalid('"component" and "tool" must be strings')
  }
  if (!isObject(args)) throw invalid('"arguments" must be an object')
  return { seq: seq as number, component, tool, args }
}

/** @throws {RunError} */
export async function readObject(request: Request): Promise<Record<string, unknown>> {
  let body: unknown
  try {
    body = parseJson(await readText(request, { limit: REQUEST_LIMIT }))
  } catch (error) {
    if (error instanceof BodyTooLarge) {
      throw new RunError(413, 'body_too_large', `The call has ${error.message}.`)
    }
    throw invalid('the body must be JSON')
  }
  if (!isObject(body)) throw invalid('the body must be an object')
  return body
}

export function invalid(problem: string): RunError {
  return new RunError(400, 'invalid_request', `The call is not valid: ${problem}.`)
}
