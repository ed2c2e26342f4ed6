/** Which requests a reader of `GET /activity` wants: the parameters of its address. */
import type { ActivityRequest } from './activity-types.ts'
import { isFine } from './request-facts.ts'

export interface ActivityQuery {
  matches(request: ActivityRequest): boolean
  /** Whether spans and lines are sent with each request. */
  details: boolean
  /** Most requests of a JSON answer. */
  limit: number
  /** What the reader has already: `next` of an answer, or the id of an event. */
  since: string | undefined
}

/** The address is not valid. The message is for the reader. */
export class ActivityQueryError extends Error {
  override readonly name = 'ActivityQueryError'
}

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000
const MAX_TEXT = 256

const TESTS: Readonly<Record<string, (value: string) => (request: ActivityRequest) => boolean>> = {
  request:
    (value) =>
    ({ id }) =>
      id === value,
  tool: (value) => {
    const wanted = value.toLowerCase()
    return ({ target, calls }) =>
      [target, ...calls.map(({ tool }) => tool)].some((name) => name?.toLowerCase() === wanted)
  },
  component:
    (value) =>
    ({ components, calls }) =>
      components.includes(value) || calls.some(({ component }) => component === value),
  principal:
    (value) =>
    ({ principal }) =>
      principal === value,
  status: (value) => {
    if (value === 'error') return ({ outcome }) => !isFine(outcome)
    if (/^[1-5]xx$/.test(value)) return ({ status }) => String(status)[0] === value[0]
    if (/^\d{3}$/.test(value)) return ({ status }) => status === Number(value)
    if (/^[a-z_]{2,20}$/.test(value)) return ({ outcome }) => outcome === value
    throw new ActivityQueryError(
      '"status" must be an outcome such as ok or tool_error, the word error, a status such as 404, or 5xx',
    )
  },
  slow: (value) => {
    const ms = number('slow', value, 0, 1e9)
    return (request) => request.ms >= ms
  },
}

const OTHERS = ['limit', 'since', 'include']

/** @throws {ActivityQueryError} */
export function parseActivityQuery(parameters: URLSearchParams): ActivityQuery {
  const tests: ((request: ActivityRequest) => boolean)[] = []
  let isOne = false
  for (const [name, value] of parameters) {
    if (OTHERS.includes(name)) continue
    const test = Object.hasOwn(TESTS, name) ? TESTS[name] : undefined
    if (!test) {
      const known = [...Object.keys(TESTS), ...OTHERS].join(', ')
      throw new ActivityQueryError(`"${name.slice(0, 50)}" must be one of ${known}`)
    }
    if (value.length > MAX_TEXT) {
      throw new ActivityQueryError(`"${name}" must be at most ${MAX_TEXT} characters`)
    }
    // An empty field of a form filters nothing.
    if (value === '') continue
    isOne ||= name === 'request'
    tests.push(test(value))
  }
  const include = parameters.get('include') ?? ''
  if (include !== '' && include !== 'details') {
    throw new ActivityQueryError('"include" must be details, or left out')
  }
  return {
    matches: (request) => tests.every((test) => test(request)),
    details: isOne || include === 'details',
    limit: number('limit', parameters.get('limit') ?? String(DEFAULT_LIMIT), 0, MAX_LIMIT),
    since: parameters.get('since') ?? undefined,
  }
}

function number(name: string, value: string, least: number, most: number): number {
  const read = /^\d{1,10}$/.test(value) ? Number(value) : NaN
  if (read >= least && read <= most) return read
  throw new ActivityQueryError(`"${name}" must be a whole number from ${least} to ${most}`)
}
