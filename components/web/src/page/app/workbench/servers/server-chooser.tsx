/** Which server the workbench shows. */
import { useState } from 'preact/hooks'
import { Part } from '../../frame/loaded-dialog.tsx'
import { Icon } from '../../icons.tsx'
import { useStore } from '../../store.ts'
import { connections } from '../mcp/connection.ts'
import { chooseServer, GATEWAY, type Server, servers } from './known-servers.ts'

const loadDialog = async () => (await import('./add-server.tsx')).AddServer

interface ServerChooserProps {
  server: Server
  /** Whether its own pane is open. */
  isShown: boolean
}

export function ServerChooser({ server, isShown }: ServerChooserProps) {
  const { list } = useStore(servers)
  const state = useStore(connections).get(server.id)?.state ?? 'idle'
  const [isAdding, setAdding] = useState(false)
  return (
    <div class="server-chooser">
      <span class="server-dot" data-state={state} title={STATES[state]} />
      <select
        aria-label="Server"
        value={server.id}
        title={server.url}
        onChange={(event) => chooseServer(event.currentTarget.value)}
      >
        {[GATEWAY, ...list].map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <a
        class="button small"
        href="#/server"
        aria-label="About the server"
        aria-current={isShown ? 'page' : undefined}
        title="Protocol, capabilities, log and access"
      >
        <Icon name="connect" />
      </a>
      <button
        type="button"
        class="small"
        aria-label="Add a server"
        title="Add a server"
        onClick={() => setAdding(true)}
      >
        <Icon name="plus" />
      </button>
      {isAdding && <Part load={loadDialog} onClose={() => setAdding(false)} />}
    </div>
  )
}

const STATES = {
  idle: 'Not connected over MCP yet',
  connecting: 'Connecting',
  open: 'Connected',
  failed: 'Not connected',
}
