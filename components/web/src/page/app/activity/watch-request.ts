/** The activity of one request, by its id: for the Trace and Logs of a call that this page has made. */
import { useEffect, useState } from 'preact/hooks'
import { ApiError, asArray, asRecord, getJson, text } from '../net/api.ts'
import { type RequestActivity, toRequest } from './request-activity.ts'

export interface Watched {
  request: RequestActivity | undefined
  /** The folder of the application; known under `ftl dev` only. */
  folder: string | undefined
  /** Why there is nothing to show: for people. Empty while it is looked for. */
  problem: string
}

const AGAIN_MS = [50, 150, 300, 500, 1000]

/** Begins to watch: requests that this page makes within a minute have a trace and lines. */
export async function beginWatching(): Promise<void> {
  // If the user may not read the activity, the Trace says so.
  await getJson('/activity?limit=0').catch(() => undefined)
}

/** @param id `x-request-id` of the response; `undefined` for no request. */
export function useRequestActivity(id: string | undefined): Watched {
  const [watched, setWatched] = useState<Watched>(NOTHING)
  useEffect(() => {
    setWatched(NOTHING)
    if (id === undefined) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async (times: number) => {
      const next = await read(id)
      if (isOver) return
      setWatched(next)
      // The spans come when the last component has ended, which may be after the response.
      const { request } = next
      const isDone = request && request.outcome !== 'running' && request.spanCount > 0
      const isLate = request?.outcome !== 'running' && times > 20
      if (isDone || isLate || next.isFinal) return
      timer = setTimeout(() => void look(times + 1), AGAIN_MS[Math.min(times, AGAIN_MS.length - 1)])
    }
    void look(0)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [id])
  return watched
}

const NOTHING: Watched = { request: undefined, folder: undefined, problem: '' }

async function read(id: string): Promise<Watched & { isFinal: boolean }> {
  try {
    const body = asRecord(await getJson(`/activity?request=${encodeURIComponent(id)}`))
    const request = toRequest(asArray(body['requests']).at(-1))
    const message = text(body['message'])
    const folder = text(body['folder'])
    const problem = request
      ? ''
      : (message ?? 'The host does not have this request: it keeps the last thousand.')
    return { request, folder, problem, isFinal: message !== undefined }
  } catch (error) {
    const problem = error instanceof ApiError ? error.message : 'The activity cannot be read.'
    return { ...NOTHING, problem, isFinal: true }
  }
}
