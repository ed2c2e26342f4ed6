/** Tells other tabs of this browser which conversations have changed, so that their lists agree. */
import { asRecord, text } from '../../net/api.ts'
import { type Head, toHead } from './database.ts'

type News = { kind: 'put'; head: Head } | { kind: 'drop'; id: string } | { kind: 'forget' }

export interface Listener {
  put(head: Head): void
  drop(id: string): void
  forget(): void
}

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('ftl.chats') : undefined
const listeners: Listener[] = []

export function announce(news: News): void {
  channel?.postMessage(news)
}

export function listen(listener: Listener): void {
  listeners.push(listener)
  if (channel) channel.onmessage = ({ data }) => hear(asRecord(data))
}

function hear(data: Record<string, unknown>): void {
  const [head] = toHead(data['head'])
  const id = text(data['id'])
  for (const listener of listeners) {
    if (data['kind'] === 'put' && head) listener.put(head)
    else if (data['kind'] === 'drop' && id !== undefined) listener.drop(id)
    else if (data['kind'] === 'forget') listener.forget()
  }
}
