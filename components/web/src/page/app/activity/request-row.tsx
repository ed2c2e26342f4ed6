/** A request in the table; it opens to its trace and its lines. */
import { useState } from 'preact/hooks'
import { duration, isFine, type RequestActivity } from './request-activity.ts'
import { Logs } from './logs.tsx'
import { plural, Trace } from './trace.tsx'

interface RequestRowProps {
  request: RequestActivity
  folder: string | undefined
  isOpen: boolean
  onToggle: () => void
}

export function RequestRow({ request, folder, isOpen, onToggle }: RequestRowProps) {
  const { id, time, outcome, reason, ms, components, principal, client } = request
  const title = titleOf(request)
  const component = components.at(-1)
  return (
    <li class="request" data-open={isOpen} data-fine={isFine(outcome)}>
      <button type="button" class="request-head" aria-expanded={isOpen} onClick={onToggle}>
        <span class="request-time">{clock(time)}</span>
        <span class="request-what">
          <b>{title}</b>
          {component !== title && <span class="faint"> {component}</span>}
        </span>
        <span class="request-who faint">{principal ?? shortClient(client)}</span>
        <span class="badge" data-state={badgeState(outcome)}>
          {outcome.replaceAll('_', ' ')}
        </span>
        <span class="request-ms">{outcome === 'running' ? '…' : duration(ms)}</span>
      </button>
      {isOpen && (
        <div class="request-body">
          {reason !== undefined && <p class="problem">{reason}</p>}
          <p class="small-text faint">
            {[request.method, request.path, principal, client, `id ${id}`]
              .filter((part) => part !== undefined && part !== '')
              .join(' · ')}
          </p>
          <Arguments request={request} />
          <Parts request={request} folder={folder} />
        </div>
      )}
    </li>
  )
}

function Parts({ request, folder }: { request: RequestActivity; folder: string | undefined }) {
  const [part, setPart] = useState<'trace' | 'logs'>('trace')
  return (
    <>
      <div class="switch" role="group" aria-label="Part">
        <button
          type="button"
          class="small"
          aria-pressed={part === 'trace'}
          onClick={() => setPart('trace')}
        >
          Trace
        </button>
        <button
          type="button"
          class="small"
          aria-pressed={part === 'logs'}
          onClick={() => setPart('logs')}
        >
          Logs ({plural(request.lineCount, 'line')})
        </button>
      </div>
      {part === 'trace' ? <Trace request={request} /> : <Logs request={request} folder={folder} />}
    </>
  )
}

function Arguments({ request: { calls } }: { request: RequestActivity }) {
  const shown = calls.filter((call) => call.arguments !== undefined)
  return (
    <>
      {shown.map((call, index) => (
        <details class="json" key={index}>
          <summary>Arguments of {call.tool}</summary>
          <pre tabIndex={0}>{JSON.stringify(call.arguments, null, 2)}</pre>
        </details>
      ))}
    </>
  )
}

export function titleOf({ rpc, target, method, path, calls }: RequestActivity): string {
  const tool = target ?? calls[0]?.tool
  if (rpc === 'tools/call' && tool) return tool
  if (rpc !== undefined) return target === undefined ? rpc : `${rpc} ${target}`
  return tool ?? `${method} ${path}`
}

function badgeState(outcome: string): string {
  if (outcome === 'running') return 'working'
  return isFine(outcome) ? 'ok' : 'failed'
}

/** `18:20:34`, of this place. */
function clock(time: string): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? '' : date.toTimeString().slice(0, 8)
}

/** `Firefox` instead of all that a browser says of itself. */
function shortClient(client: string | undefined): string {
  const [, browser] = /^Mozilla\/.*?(Firefox|Edg|Chrome|Safari)\//.exec(client ?? '') ?? []
  if (browser !== undefined) return browser === 'Edg' ? 'Edge' : browser
  return client ?? ''
}
