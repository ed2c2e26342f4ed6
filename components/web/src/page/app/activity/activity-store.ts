/** What `GET /activity` sends, while a view looks at it. */
import { ApiError, asArray, asRecord, count, request, text } from '../net/api.ts'
import { untilRetry, whileOnline } from '../net/online.ts'
import { untilAllowed } from '../sign-in/session.ts'
import { createStore } from '../store.ts'
import { type ActivityEvent, EventParser } from './events.ts'
import { isOwn } from './own-requests.ts'
import { type RequestActivity, toRequest } from './request-activity.ts'

export interface ComponentActivity {
  id: string
  state: string
  calls: number
  errors: number
  p50: number | undefined
  p95: number | undefined
  instances: number
  memory: number
  lastFailure: { time: string; request: string; reason: string } | undefined
}

export interface Notice {
  time: string
  component: string
  message: string
}

export interface ActivityState {
  /** `other`: this host records no requests. */
  state: 'connecting' | 'live' | 'broken' | 'forbidden' | 'other'
  /** For people. */
  problem: string
  isDevelopment: boolean
  folder: string | undefined
  components: readonly ComponentActivity[]
  notices: readonly Notice[]
  /** The newest last, by the key of {@link keyOf}. */
  requests: ReadonlyMap<string, RequestActivity>
}

/** Requests that the page keeps. */
const MOST_REQUESTS = 500
const MOST_NOTICES = 20

/** The host sends something every 15 seconds. */
const SILENCE_MS = 40_000

export const activity = createStore<ActivityState>({
  state: 'connecting',
  problem: '',
  isDevelopment: false,
  folder: undefined,
  components: [],
  notices: [],
  requests: new Map(),
})

/** A client may use an id twice. */
export const keyOf = ({ id, time }: RequestActivity): string => `${id} ${time}`

let lastId: string | undefined

/** Reads until it is aborted. */
export async function followActivity(signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    await untilAllowed()
    try {
      await readEvents(signal, () => (failures = 0))
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError && error.status === 403) {
        return change({ state: 'forbidden', problem: error.message })
      }
      const problem = error instanceof ApiError && error.status > 0 ? error.message : ''
      change({ state: 'broken', problem })
    }
    if (activity.get().state === 'other') return
    await untilRetry(failures)
  }
}

export function clearRequests(): void {
  change({ requests: new Map(), notices: [] })
}

function change(some: Partial<ActivityState>): void {
  activity.set((before) => ({ ...before, ...some }))
}

async function readEvents(leaving: AbortSignal, onEvent: () => void): Promise<void> {
  // A connection of a machine that was asleep looks open.
  const controller = whileOnline()
  const stop = () => controller.abort()
  leaving.addEventListener('abort', stop)
  let silence = setTimeout(stop, SILENCE_MS)
  try {
    const headers = {
      accept: 'text/event-stream',
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    }
    const init = { headers, signal: controller.signal }
    const { body } = await request('/activity?include=details', init)
    if (!body) throw new ApiError(0, 'broken', '')
    const parser = new EventParser()
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      clearTimeout(silence)
      silence = setTimeout(stop, SILENCE_MS)
      onEvent()
      applyAll(parser.push(value))
    }
  } finally {
    clearTimeout(silence)
    leaving.removeEventListener('abort', stop)
    stop()
  }
}

function applyAll(events: readonly ActivityEvent[]): void {
  const requests: RequestActivity[] = []
  for (const { event, id, data } of events) {
    lastId = id ?? lastId
    const found = event === 'request' ? toRequest(data) : undefined
    if (!found) apply(event, asRecord(data))
    else if (!isOwn(found.id)) requests.push(found)
  }
  if (requests.length > 0) addRequests(requests)
}

function apply(event: string, data: Record<string, unknown>): void {
  if (event === 'hello') {
    const isOther = data['host'] === 'other'
    change({
      state: isOther ? 'other' : 'live',
      problem: text(data['message']) ?? '',
      isDevelopment: data['development'] === true,
      folder: text(data['folder']),
      // The host was restarted: what it does not have any more is not shown as if it had.
      ...(data['resumed'] !== true && { requests: new Map(), notices: [] }),
    })
  } else if (event === 'components') {
    change({ components: asArray(data['components']).flatMap(toComponent) })
  } else if (event === 'notice') {
    const { notices } = activity.get()
    change({ notices: [...notices, toNotice(data)].slice(-MOST_NOTICES) })
  }
}

function addRequests(some: readonly RequestActivity[]): void {
  const requests = new Map(activity.get().requests)
  for (const one of some) requests.set(keyOf(one), one)
  const keys = requests.keys()
  while (requests.size > MOST_REQUESTS) requests.delete(keys.next().value as string)
  change({ requests })
}

function toComponent(value: unknown): ComponentActivity[] {
  const record = asRecord(value)
  const id = text(record['id'])
  if (id === undefined) return []
  const failure = asRecord(record['lastFailure'])
  return [
    {
      id,
      state: text(record['state']) ?? '',
      calls: count(record['calls']) ?? 0,
      errors: count(record['errors']) ?? 0,
      p50: count(record['p50']),
      p95: count(record['p95']),
      instances: count(record['instances']) ?? 0,
      memory: count(record['memory']) ?? 0,
      lastFailure:
        record['lastFailure'] === undefined
          ? undefined
          : {
              time: text(failure['time']) ?? '',
              request: text(failure['request']) ?? '',
              reason: text(failure['reason']) ?? '',
            },
    },
  ]
}

function toNotice(data: Record<string, unknown>): Notice {
  return {
    time: text(data['time']) ?? '',
    component: text(data['component']) ?? '',
    message: text(data['message']) ?? '',
  }
}
