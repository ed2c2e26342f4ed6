/** The result of a tool as its own page, an MCP App, in a sandbox. */
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import type { Tool } from '../net/tools.ts'
import { AskStrip } from './asks.tsx'
import type { AppCall } from './app-call.ts'
import { holdFocus, leaveTop, toTop } from './top-layer.ts'
import { useApp } from './use-app.ts'
import './apps.css'

export interface AppViewProps {
  tool: Tool
  call: AppCall
  /** Shows the result in the page's own way. */
  onText: () => void
}

export function AppView({ tool, call, onText }: AppViewProps) {
  const app = useApp(tool, call, onText)
  const { state, frame, tries } = app
  const { phase, problem, page, height, mode, asks, log } = state
  const root = useRef<HTMLElement>(null)
  const isFull = mode === 'fullscreen'
  useEffect(() => {
    const { current } = root
    if (!current || !isFull) return
    toTop(current)
    const release = holdFocus(current, () => app.setMode('inline'))
    return () => {
      release()
      leaveTop(current)
    }
  }, [isFull])
  const reached = page ? [...new Set(Object.values(page.domains).flat())] : []
  return (
    <section
      ref={root}
      class="app"
      data-mode={mode}
      data-phase={phase}
      data-border={page?.hasBorder ?? true}
      aria-label={`App of ${tool.title}`}
    >
      <header class="app-bar">
        <span class="badge" title={`${tool.app}: written by the tool's author, not by this page`}>
          App
        </span>
        <span class="app-title">{tool.title}</span>
        {reached.length > 0 && (
          <span class="faint small-text" title={reached.join('\n')}>
            connects to {reached.map((origin) => origin.replace(/^\w+:\/\//, '')).join(', ')}
          </span>
        )}
        <span class="grow" />
        <button type="button" class="small" onClick={() => void app.close().then(onText)}>
          Show as text
        </button>
        {phase === 'shown' && (
          <button
            type="button"
            class="small"
            data-part="mode"
            onClick={() => app.setMode(isFull ? 'inline' : 'fullscreen')}
          >
            {isFull ? 'Leave full screen' : 'Full screen'}
          </button>
        )}
      </header>
      {phase === 'failed' ? (
        <div class="app-failed" role="alert">
          <p class="problem">{problem}</p>
          <button type="button" class="small" onClick={app.retry}>
            <Icon name="again" /> Try again
          </button>
        </div>
      ) : (
        <div class="app-frame" style={{ height: isFull ? '' : `${height}px` }}>
          <iframe
            key={tries}
            ref={frame}
            title={`App of ${tool.title}`}
            sandbox="allow-scripts allow-forms"
            allow={page?.mayWriteClipboard ? 'clipboard-write' : undefined}
          />
          {phase === 'loading' && (
            <p class="app-loading faint" role="status">
              Loading the app
            </p>
          )}
        </div>
      )}
      {asks.map((ask) => (
        <AskStrip
          key={ask.kind}
          ask={ask}
          title={tool.title}
          onDecide={(isAccepted) => app.decide(ask, isAccepted)}
        />
      ))}
      {page && page.ignored.length > 0 && (
        <p class="faint small-text">
          The app declares {page.ignored.join(', ')}: not an origin, so it is not permitted.
        </p>
      )}
      {log.length > 0 && !isFull && (
        <details class="app-log">
          <summary>Messages of the app ({log.length})</summary>
          <pre tabIndex={0}>{log.join('\n')}</pre>
        </details>
      )}
    </section>
  )
}
