/** What the host has noted of one request: `GET /activity`. */
import { useEffect, useState } from 'preact/hooks'
import { ApiError, asArray, asRecord, count, getJson, text } from '../../net/api.ts'
import { wordsOf } from '../../net/tools.ts'

export interface Span {
  id: string
  parent: string
  kind: string
  name: string
  start: number
  ms: number
  error: string
}

export interface Line {
  at: number
  component: string
  stream: string
  line: string
}

export interface Activity {
  ms: number
  spans: Span[]
  lines: Line[]
  /** Whether spans and lines were recorded. */
  isWatched: boolean
}

/** Spans and lines are recorded for a minute after someone has asked. Where the host has no activity, nothing happens. */
export async function watch(): Promise<void> {
  await getJson('/activity?limit=0').catch(() => undefined)
}

/** @param version reads it again when it changes. */
export function useActivity(requestId: string | undefined, version: unknown) {
  const [state, setState] = useState<{ activity?: Activity; problem: string }>({ problem: '' })
  useEffect(() => {
    if (requestId === undefined) return
    let isWanted = true
    read(requestId).then(
      (activity) => isWanted && setState({ problem: '', ...(activity && { activity }) }),
      (error: unknown) => isWanted && setState({ problem: reasonOf(error) }),
    )
    return () => {
      isWanted = false
    }
  }, [requestId, version])
  return state
}

function reasonOf(error: unknown): string {
  return error instanceof ApiError && error.status === 404
    ? 'This gateway does not record activity.'
    : wordsOf(error)
}

async function read(requestId: string): Promise<Activity | undefined> {
  const path = `/activity?request=${encodeURIComponent(requestId)}&include=details`
  const found = asArray(asRecord(await getJson(path))['requests']).at(-1)
  if (found === undefined) return undefined
  const request = asRecord(found)
  return {
    ms: count(request['ms']) ?? 0,
    isWatched: request['watched'] === true,
    spans: asArray(request['spans']).map((value) => {
      const span = asRecord(value)
      const word = (key: string) => text(span[key]) ?? ''
      const number = (key: string) => count(span[key]) ?? 0
      return {
        id: word('id'),
        parent: word('parent'),
        kind: word('kind'),
        name: word('name'),
        start: number('start'),
        ms: number('ms'),
        error: word('error'),
      }
    }),
    lines: asArray(request['lines']).map((value) => {
      const line = asRecord(value)
      const word = (key: string) => text(line[key]) ?? ''
      return {
        at: count(line['at']) ?? 0,
        component: word('component'),
        stream: word('stream'),
        line: word('line'),
      }
    }),
  }
}
