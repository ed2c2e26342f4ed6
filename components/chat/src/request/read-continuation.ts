/**
 * Reads an answer that has waited for approvals, as the client sends it back with the person's decisions.
 *
 * It proves nothing and needs to prove nothing: a client can tell its own model anything. Whether a call was approved is
 * checked by the gateway, whose token is valid for one call with exactly its arguments.
 */
import { isArrayOf, isObject, isString } from 'ftl-contract'
import { badRequest, tooLarge } from '../failure.ts'
import type { ModelCall } from '../model/messages.ts'

/** One turn of the model with the results of its calls. */
export interface Step {
  content: string
  calls: ModelCall[]
  /** What the model receives, by the id of the call. */
  results: Map<string, string>
}

export interface Resumed {
  /** The last one has calls without results. */
  steps: Step[]
  /** Of the calls that have waited: the token of the approval, or `null` for a declined call. */
  decisions: ReadonlyMap<string, string | null>
  /** Number of artifacts before. */
  artifacts: number
}

const MOST_STEPS = 100
/** In one turn: those above the limit of calls have a result, which says so. */
const MOST_CALLS = 500
/** Characters of all of it: results are cut at 20 000. */
const SIZE_LIMIT = 2_000_000

/** @throws {ChatFailure} with a 4xx status. */
export function readContinuation({
  continuation,
  decisions,
}: {
  continuation?: unknown
  decisions?: unknown
}): Resumed {
  const at = 'continuation'
  if (!isObject(continuation) || !isArrayOf(continuation.steps, isObject)) {
    throw badRequest(`${at} must be the continuation of a response.`, at)
  }
  const { artifacts } = continuation
  if (continuation.steps.length > MOST_STEPS || JSON.stringify(continuation).length > SIZE_LIMIT) {
    throw tooLarge(`${at} may have ${MOST_STEPS} steps and ${SIZE_LIMIT} characters.`, at)
  }
  const steps = continuation.steps.map((step, place) => readStep(step, `${at}.steps[${place}]`))
  const open = steps.map((step) => step.calls.filter(({ id }) => !step.results.has(id)))
  const waiting = open.pop() ?? []
  if (waiting.length === 0 || open.some((calls) => calls.length > 0)) {
    throw badRequest(`${at}.steps must end with calls that have no result.`, `${at}.steps`)
  }
  return {
    steps,
    decisions: readDecisions(decisions, waiting),
    artifacts: typeof artifacts === 'number' && artifacts > 0 ? Math.floor(artifacts) : 0,
  }
}

function readStep({ content, calls, results }: Record<string, unknown>, at: string): Step {
  if (!isString(content)) throw badRequest(`${at}.content must be a text.`, `${at}.content`)
  if (!isArrayOf(calls, isCall) || calls.length > MOST_CALLS || !hasOwnIds(calls)) {
    const message = `${at}.calls must be at most ${MOST_CALLS} calls, each with an id of its own, a name and arguments.`
    throw badRequest(message, `${at}.calls`)
  }
  if (!isArrayOf(results, isResult)) {
    const message = `${at}.results must be an array of objects with id and content.`
    throw badRequest(message, `${at}.results`)
  }
  return {
    content,
    calls: calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
    results: new Map(results.map((result) => [result.id, result.content])),
  }
}

function isCall(value: unknown): value is ModelCall {
  return isObject(value) && [value.id, value.name, value.arguments].every(isString)
}

function hasOwnIds(calls: readonly ModelCall[]): boolean {
  return new Set(calls.map(({ id }) => id)).size === calls.length
}

function isResult(value: unknown): value is { id: string; content: string } {
  return isObject(value) && isString(value.id) && isString(value.content)
}

function readDecisions(value: unknown, waiting: readonly ModelCall[]): Map<string, string | null> {
  const at = 'decisions'
  if (!isObject(value)) throw badRequest(`${at} must be an object: call id to token or null.`, at)
  const given = new Map(Object.entries(value))
  return new Map(
    waiting.map(({ id }) => {
      const decision = given.get(id)
      if (isString(decision) || decision === null) return [id, decision]
      const field = `${at}.${id.slice(0, 200)}`
      throw badRequest(`${field} must be the token of the approval, or null to decline.`, field)
    }),
  )
}
