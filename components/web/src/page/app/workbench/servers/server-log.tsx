/** Log messages and other notifications of a server, and the level from which it sends them. */
import { useState } from 'preact/hooks'
import { useStore } from '../../store.ts'
import { plainWords } from '../../sign-in/challenge.ts'
import { type Connection, mcp } from '../mcp/connection.ts'
import { clearNotifications, type Notification, notifications } from '../mcp/notifications.ts'
import { JsonTree } from '../result/json-tree.tsx'
import type { Server } from './known-servers.ts'
import { refusalOf } from './refusals.ts'

interface ServerLogProps {
  server: Server
  connection: Connection | undefined
}

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']
/** Rows that are drawn. */
const SHOWN = 100
/** Chosen in this tab, by server. */
const chosen = new Map<string, string>()

export function ServerLog({ server, connection }: ServerLogProps) {
  const own = useStore(notifications).filter(({ server: from }) => from === server.id)
  const [level, setLevel] = useState(chosen.get(server.id) ?? '')
  const [problem, setProblem] = useState('')
  const mayLog =
    connection?.state === 'open' && connection.facts.capabilities['logging'] !== undefined
  const choose = async (next: string) => {
    setLevel(next)
    setProblem('')
    chosen.set(server.id, next)
    try {
      await (await mcp(server)).setLogLevel(next)
    } catch (error) {
      setProblem(refusalOf(server, error).message)
    }
  }
  return (
    <section class="server-part" aria-labelledby="server-log">
      <div class="line">
        <h3 id="server-log" class="grow">
          Notifications
        </h3>
        {mayLog && (
          <label class="line small-text">
            <span>Log from</span>
            <select value={level} onChange={(event) => void choose(event.currentTarget.value)}>
              <option value="">the server's choice</option>
              {LEVELS.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          </label>
        )}
        {own.length > 0 && (
          <button type="button" class="small" onClick={() => clearNotifications(server.id)}>
            Clear
          </button>
        )}
      </div>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {connection?.state === 'open' && !mayLog && (
        <p class="about">The server offers no log messages. Other notifications appear here.</p>
      )}
      {own.length === 0 && <p class="faint">Nothing has been reported yet.</p>}
      <ul class="server-log">
        {own.slice(0, SHOWN).map((one) => (
          <Row key={one.number} one={one} />
        ))}
      </ul>
      {own.length > SHOWN && <p class="about">The newest {SHOWN} are shown.</p>}
    </section>
  )
}

const BAD = ['error', 'critical', 'alert', 'emergency']

function Row({ one: { method, level, logger, params, at } }: { one: Notification }) {
  const isLog = method === 'notifications/message'
  const { data } = params
  return (
    <li>
      <span class="faint small-text">{new Date(at).toTimeString().slice(0, 8)}</span>{' '}
      <span class="badge" data-state={BAD.includes(level) ? 'failed' : ''}>
        {plainWords(isLog ? level || 'log' : method.replace(/^notifications\//, ''))}
      </span>{' '}
      {logger !== '' && <code class="faint">{plainWords(logger)}</code>}{' '}
      {isLog && typeof data === 'string' ? (
        <span class="said">{data.slice(0, 2_000)}</span>
      ) : (
        Object.keys(params).length > 0 && <JsonTree value={isLog ? data : params} open={0} />
      )}
    </li>
  )
}
