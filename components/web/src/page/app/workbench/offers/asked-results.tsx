/** What came of a request for a prompt or a resource, and the messages that were exchanged. */
import type { ComponentChildren } from 'preact'
import { useStore } from '../../store.ts'
import { exchanges } from '../mcp/exchanges.ts'
import { RawView } from '../result/raw-view.tsx'
import { Tabs } from '../result/tabs.tsx'
import type { Run } from '../run/run-tool.ts'
import type { Server } from '../servers/known-servers.ts'

interface AskedResultsProps {
  server: Server
  method: string
  run: Run | undefined
  /** What to do before the first request. */
  hint: string
  view: (result: unknown) => ComponentChildren
}

export function AskedResults({ server, method, run, hint, view }: AskedResultsProps) {
  const all = useStore(exchanges)
  const { took, failure, result } = run ?? {}
  const own = all.filter(
    (one) =>
      run !== undefined &&
      one.server === server.id &&
      one.method === method &&
      one.startedAt >= run.startedAt - 1 &&
      one.startedAt <= run.startedAt + (took ?? Infinity) + 50,
  )
  const state = failure !== undefined ? 'failed' : took === undefined ? 'working' : 'ok'
  return (
    <section class="tool-results" aria-label="Results">
      <div class="results-head">
        <h3>{run ? 'Result' : 'No result yet'}</h3>
        {run && (
          <>
            <span class="badge" data-state={state}>
              {state === 'working' ? 'running' : state === 'ok' ? 'done' : 'failed'}
            </span>
            <span class="faint small-text">{took !== undefined && `${Math.round(took)} ms`}</span>
          </>
        )}
      </div>
      {!run && <p class="faint">{hint}</p>}
      {run && (
        <Tabs
          label="Parts of the answer"
          tabs={[
            {
              name: 'Result',
              view: () => (
                <div class="rich" aria-live="polite">
                  {failure !== undefined && <p class="problem said">{failure}</p>}
                  {result !== undefined && view(result)}
                  {took === undefined && <p class="faint">Waiting for the server…</p>}
                </div>
              ),
            },
            { name: 'Raw', view: () => <RawView exchanges={own} schema={{}} run={run} /> },
          ]}
        />
      )}
    </section>
  )
}
