/** Pictures of a rendering that goes on, from the bridge. They are a pleasure and no more: nothing depends on them. */
import { useEffect } from 'preact/hooks'
import { jsonOf } from 'ftl-contract'
import { asRecord, count, text } from '../net/api.ts'
import { createStore } from '../store.ts'
import { changeJob } from './known-jobs.ts'
import { useLink } from './file-links.ts'

/** The newest frame of each job, as a data URL. */
export const previews = createStore<ReadonlyMap<string, string>>(new Map())

const BRIDGE = document.documentElement.dataset['bridge'] ?? ''
const TRIES = 4
const FIRST_WAIT_MS = 1_000

/** Listens while the caller is shown and the job runs. */
export function usePreviews(id: string, isRunning: boolean): void {
  const link = useLink(id)
  useEffect(
    () => (isRunning && link !== undefined ? listen(id, link) : undefined),
    [id, isRunning, link],
  )
}

function listen(id: string, link: string): () => void {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = BRIDGE === ''
  const connect = (tries: number) => {
    if (isOver) return
    const opened = open(id, link, () => (tries = 0))
    socket = opened
    opened?.addEventListener('close', () => {
      // By chance, so that all pages of a bridge that restarts do not come back in the same moment.
      const wait = FIRST_WAIT_MS * 2 ** tries * (0.5 + Math.random() / 2)
      if (tries < TRIES) timer = setTimeout(() => connect(tries + 1), wait)
    })
  }
  connect(0)
  return () => {
    isOver = true
    clearTimeout(timer)
    socket?.close()
    previews.set((frames) => {
      const rest = new Map(frames)
      rest.delete(id)
      return rest
    })
  }
}

function open(id: string, link: string, onMessage: () => void): WebSocket | undefined {
  let socket: WebSocket
  try {
    socket = new WebSocket(
      `${BRIDGE}/ws/stream/${id}${link === '' ? '?' : `${link}&`}progress=1&previews=1`,
    )
  } catch {
    return undefined
  }
  socket.addEventListener('message', ({ data }) => {
    const { method, params } = asRecord(typeof data === 'string' ? jsonOf(data) : undefined)
    const { mimeType, data: frame, seq, progress, total } = asRecord(params)
    if (method === 'stream/end') socket.close()
    else if (method === 'stream/progress') {
      onMessage()
      const value = count(progress)
      if (value !== undefined) changeJob(id, { progress: value, total: count(total) })
    } else if (method === 'stream/preview') {
      onMessage()
      socket.send(`ack ${count(seq) ?? 0}`)
      if (/^image\/(png|jpeg|webp)$/.test(text(mimeType) ?? '') && typeof frame === 'string') {
        const url = `data:${text(mimeType)};base64,${frame}`
        previews.set((frames) => new Map(frames).set(id, url))
      }
    }
  })
  return socket
}
