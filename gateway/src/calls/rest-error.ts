/** A request that comes to an error, and the one form every error of this interface has. */
import type { Confirmation } from '../invoke/outcome.ts'
import type { ArgumentError } from '../invoke/argument-validator.ts'

export interface RestError {
  /** For programs: the list is in docs/http-api.md. */
  code: string
  /** For people: what is wrong and what to do. */
  message: string
  /** What of the request is wrong: `params.size.width`, `function.arguments`, `wait`. */
  field?: string
  /** Every rule the arguments break; `path` is inside the arguments. */
  errors?: ArgumentError[]
  tool?: string
  /** The tool's own word for what went wrong, for example `out_of_memory`. */
  kind?: string
  /** Seconds after which another try may succeed. */
  retryAfterSeconds?: number
  /** Confirms the call when it is sent again, once, in the header `ftl-approval`. */
  approval?: Confirmation
  /** Also in the log and in the header `x-request-id`. */
  requestId: string
}

/** Thrown where a request is read; caught where it is answered. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly code: string
  readonly field: string | undefined
  constructor(status: number, code: string, message: string, field?: string) {
    super(message)
    this.status = status
    this.code = code
    this.field = field
  }
}

/** 400: the request has not the form it must have. */
export function badRequest(message: string, field?: string): Refusal {
  return new Refusal(400, 'invalid_request', message, field)
}

/** Message of `tool_not_found`. */
export const NO_TOOL = 'There is no such tool. GET /tools lists all.'
