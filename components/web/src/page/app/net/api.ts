/** The gateway's plain HTTP, and its errors as one kind of exception. */
import { asObject as asRecord } from 'ftl-contract'
import { noteReached } from './gateway-reachable.ts'
import { send, type Sending } from '../sign-in/session.ts'

/** A rule that an argument broke. */
export interface FieldProblem {
  /** `size.width`; empty for the arguments as a whole. */
  path: string
  message: string
}

/** What approves one call. */
interface Approval {
  component: string
  /** Kept in memory only, and shown nowhere. */
  token: string
}

/** The gateway said no, or could not be reached (status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly problems: readonly FieldProblem[]
  /** A person has to approve the call first. */
  readonly approval: Approval | undefined

  constructor(
    status: number,
    code: string,
    message: string,
    problems: FieldProblem[] = [],
    approval?: Approval,
  ) {
    super(message)
    this.approval = approval
    this.status = status
    this.code = code
    this.problems = problems
  }
}

const UNREACHABLE = 'The gateway cannot be reached. Check the connection and try again.'

/**
 * @param waits where the user has to sign in, until that is done.
 * @throws {ApiError}
 */
export async function request(path: string, init: Sending = {}, waits = false): Promise<Response> {
  let response: Response
  try {
    response = await send(path, init, waits)
  } catch (error) {
    if (init.signal?.aborted) throw error
    noteReached(false)
    throw new ApiError(0, 'unreachable', UNREACHABLE)
  }
  noteReached(true)
  if (response.ok) return response
  throw await refusal(response)
}

/** @throws {ApiError} */
export async function getJson(path: string, init?: Sending, waits?: boolean): Promise<unknown> {
  return readJson(await request(path, init, waits))
}

/** @throws {ApiError} */
export async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    throw new ApiError(0, 'unreadable', 'The answer broke off. Try again.')
  }
}

export function posting(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
}

async function refusal(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined)
  const error = asRecord(asRecord(body)['error'])
  const message = text(error['message']) ?? `The gateway answered with status ${response.status}.`
  const problems = asArray(error['errors']).map((entry) => ({
    path: text(asRecord(entry)['path']) ?? '',
    message: text(asRecord(entry)['message']) ?? 'is not right',
  }))
  const code = text(error['code']) ?? 'failed'
  const approval = code === 'approval_required' ? readApproval(error['approval']) : undefined
  return new ApiError(response.status, code, message, problems, approval)
}

function readApproval(value: unknown): Approval | undefined {
  const { component, token } = asRecord(value)
  return typeof component === 'string' && typeof token === 'string'
    ? { component, token }
    : undefined
}

export { asRecord }

export function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
