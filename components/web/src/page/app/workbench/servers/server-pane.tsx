/** What a server says of itself, what was negotiated, how to get in, and what it reports. */
import { useState } from 'preact/hooks'
import { useStore } from '../../store.ts'
import { JsonTree } from '../result/json-tree.tsx'
import { connections, type Facts, forgetConnection, mcp } from '../mcp/connection.ts'
import { forgetOffers } from '../offers/offers.ts'
import { isForeign, removeServer, secretHeader, type Server } from './known-servers.ts'
import { refusalOf } from './refusals.ts'
import { ServerAccess } from './server-access.tsx'
import { ServerFacts } from './server-facts.tsx'
import { ServerLog } from './server-log.tsx'

export interface ServerPaneProps {
  server: Server
}

export function ServerPane({ server }: ServerPaneProps) {
  const connection = useStore(connections).get(server.id)
  const isOther = isForeign(server)
  const state = connection?.state ?? 'idle'
  const connect = () => {
    forgetConnection(server)
    forgetOffers(server)
    void mcp(server).catch(() => undefined)
  }
  const remove = () => {
    forgetConnection(server)
    forgetOffers(server)
    removeServer(server.id)
  }
  return (
    <article class="tool-pane server-pane" aria-label={server.name}>
      <section class="tool-side">
        <header class="tool-head">
          <h2>{server.name}</h2>
          <p class="line">
            <code class="faint">{withoutQuery(server.url)}</code>
            <span class="badge" data-state={BADGES[state]}>
              {WORDS[state]}
            </span>
          </p>
          {isOther && (
            <p class="about">
              Not this gateway. Its texts and results come from strangers, and your calls go to it
              from this browser.
            </p>
          )}
        </header>
        {connection?.state === 'failed' && (
          <section class="notice" role="alert">
            <p class="problem">{connection.refusal.message}</p>
            {connection.refusal.help !== '' && <p>{connection.refusal.help}</p>}
          </section>
        )}
        <div class="actions">
          <button
            type="button"
            class={state === 'open' ? '' : 'primary'}
            aria-busy={state === 'connecting'}
            onClick={connect}
          >
            {state === 'idle' ? 'Connect' : state === 'open' ? 'Connect again' : 'Try again'}
          </button>
          {state === 'open' && <RoundTrip server={server} />}
          {isOther && (
            <button type="button" onClick={remove}>
              Remove this server
            </button>
          )}
        </div>
        {isOther && (
          <ServerAccess
            key={`${server.id} ${secretHeader(server) !== undefined}`}
            {...{ server, connection }}
            onChanged={connect}
          />
        )}
        {connection?.state === 'open' && <ServerFacts facts={connection.facts} />}
      </section>
      <section class="tool-results" aria-label="What the server reports">
        {connection?.state === 'open' && <Instructions facts={connection.facts} />}
        <ServerLog {...{ server, connection }} />
        {connection?.state === 'open' && (
          <details class="json">
            <summary>Capabilities as JSON</summary>
            <JsonTree value={connection.facts.capabilities} />
          </details>
        )}
      </section>
    </article>
  )
}

const BADGES = { idle: '', connecting: 'working', open: 'ok', failed: 'failed' }
const WORDS = {
  idle: 'not connected',
  connecting: 'connecting',
  open: 'connected',
  failed: 'failed',
}

/** A query may have a key. */
function withoutQuery(url: string): string {
  const [address = '', query] = url.split('?')
  return query === undefined ? address : `${address}?…`
}

function RoundTrip({ server }: { server: Server }) {
  const [said, setSaid] = useState('')
  const [isBusy, setBusy] = useState(false)
  const ping = async () => {
    setBusy(true)
    try {
      const took = await (await mcp(server)).roundTrip()
      setSaid(`Answered in ${took < 10 ? took.toFixed(1) : Math.round(took)} ms`)
    } catch (error) {
      setSaid(`No answer: ${refusalOf(server, error).message}`)
    }
    setBusy(false)
  }
  return (
    <>
      <button type="button" aria-busy={isBusy} onClick={() => void ping()}>
        Ping
      </button>
      <span class="about" role="status">
        {said}
      </span>
    </>
  )
}

const LONGEST = 20_000

function Instructions({ facts: { instructions } }: { facts: Facts }) {
  return (
    <section class="server-part" aria-labelledby="server-instructions">
      <h3 id="server-instructions">Instructions for models</h3>
      {instructions === '' ? (
        <p class="faint">The server gives none.</p>
      ) : (
        <p class="said instructions" tabIndex={0}>
          {instructions.slice(0, LONGEST)}
          {instructions.length > LONGEST && `\n… ${instructions.length - LONGEST} more characters`}
        </p>
      )}
    </section>
  )
}
