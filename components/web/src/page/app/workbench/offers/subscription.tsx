/** A subscription to changes of a resource, where the server offers it. It lasts until it is ended or the page is closed. */
import { useEffect, useState } from 'preact/hooks'
import { asRecord } from '../../net/api.ts'
import { createStore, useStore } from '../../store.ts'
import { connections, mcp } from '../mcp/connection.ts'
import { notifications } from '../mcp/notifications.ts'
import type { Server } from '../servers/known-servers.ts'
import { refusalOf } from '../servers/refusals.ts'

interface SubscriptionProps {
  server: Server
  uri: string
  /** Called when the server has reported a change. */
  onChanged?: () => void
}

/** What ends each, by server and address. */
const subscriptions = createStore<ReadonlyMap<string, () => Promise<void>>>(new Map())

export function Subscription({ server, uri, onChanged }: SubscriptionProps) {
  const key = `${server.id} ${uri}`
  const end = useStore(subscriptions).get(key)
  const connection = useStore(connections).get(server.id)
  const [problem, setProblem] = useState('')
  const changes = useStore(notifications).filter(
    ({ server: from, method, params }) =>
      from === server.id && method === 'notifications/resources/updated' && params['uri'] === uri,
  )
  const [seen, setSeen] = useState(() => changes[0]?.number ?? 0)
  const latest = changes[0]
  useEffect(() => {
    if (latest === undefined || latest.number <= seen) return
    setSeen(latest.number)
    onChanged?.()
  }, [latest?.number])
  if (connection?.state !== 'open') return null
  const isOffered = asRecord(connection.facts.capabilities['resources'])['subscribe'] === true
  if (!isOffered) {
    return <p class="about">The server does not report changes of resources.</p>
  }
  const forget = () => subscriptions.set((all) => new Map([...all].filter(([one]) => one !== key)))
  const change = async () => {
    setProblem('')
    try {
      if (end) {
        forget()
        return await end()
      }
      const client = await mcp(server)
      const ended = await client.subscribe(uri, () => {
        forget()
        setProblem('The server has ended the subscription.')
      })
      subscriptions.set((all) => new Map(all).set(key, ended))
    } catch (error) {
      setProblem(refusalOf(server, error).message)
    }
  }
  return (
    <div class="subscription">
      <label class="line">
        <input type="checkbox" checked={end !== undefined} onChange={() => void change()} />
        <span>Read it again when it changes</span>
      </label>
      {latest && end && (
        <p class="about" role="status">
          Changed at {new Date(latest.at).toTimeString().slice(0, 8)}, {changes.length}{' '}
          {changes.length === 1 ? 'time' : 'times'} in all.
        </p>
      )}
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
