/** Lists components with their status, and tools with a form to try them. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { ToolForm } from '../form/tool-form.tsx'
import { type Called, callTool, newKey } from '../jobs/call.ts'
import { JobCard } from '../jobs/job-card.tsx'
import { forgetKept, useKept } from '../kept.ts'
import { catalog, components, loadComponents, loadTools, type Tool } from '../net/tools.ts'
import { ResultView } from '../result-view.tsx'
import type { Route } from '../route.ts'
import { needsSignIn, session } from '../sign-in/session.ts'
import { useStore } from '../store.ts'
import { toolLink } from '../tool-link.ts'

export function Tools({ of, args }: Pick<Route, 'of' | 'args'>) {
  const { tools, loading, problem } = useStore(catalog)
  const { list, problem: unknownHealth } = useStore(components)
  const isShut = needsSignIn(useStore(session))
  useEffect(() => {
    void loadTools()
    void loadComponents()
  }, [])
  return (
    <>
      <header class="view-head">
        <h1 tabIndex={-1}>Tools</h1>
      </header>
      <section aria-label="Components">
        <ul class="health">
          {list.map(({ name, status, problems }) => (
            <li key={name} title={problems.join('\n')}>
              <span class="badge" data-state={status}>
                {status}
              </span>
              {name}
              {problems.length > 0 && <span class="problem"> {problems.join(' ')}</span>}
            </li>
          ))}
        </ul>
        {unknownHealth !== '' && <p class="problem">{unknownHealth}</p>}
      </section>
      {problem !== '' && <p class="problem">{problem}</p>}
      {loading && !isShut && <p class="faint">Looking…</p>}
      <ul class="rows">
        {tools.map((tool) => (
          <li key={tool.name}>
            <ToolRow
              tool={tool}
              isOpen={tool.name === of}
              args={tool.name === of ? args : undefined}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

interface ToolRowProps {
  tool: Tool
  /** The address names this tool. */
  isOpen: boolean
  /** Of the address. */
  args: Record<string, unknown> | undefined
}

function ToolRow({ tool, isOpen, args }: ToolRowProps) {
  const { name, title, description, inputSchema, outputSchema } = tool
  const keep = `tools.${name}`
  const [isTried, setTried] = useKept(`${keep}.open`, () => isOpen)
  const [called, setCalled] = useKept<readonly Called[]>(`${keep}.called`, () => [])
  const [filled, setFilled] = useState<{ args?: Record<string, unknown>; count: number }>({
    count: 0,
  })
  const [copied, setCopied] = useState('')
  const row = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isOpen) return
    setTried(() => true)
    if (args) {
      // A link replaces what was typed.
      forgetKept(`${keep}.typed`)
      setFilled(({ count }) => ({ args, count: count + 1 }))
    }
    row.current?.scrollIntoView({ block: 'start' })
  }, [isOpen, args])
  const copyLink = async (typed: Record<string, unknown>) => {
    const link = toolLink(name, typed)
    history.replaceState(null, '', link)
    try {
      await navigator.clipboard.writeText(location.href)
      setCopied('The link is copied. It fills the form and calls nothing.')
    } catch {
      setCopied('The link is in the address bar. It fills the form and calls nothing.')
    }
  }
  const add = (made: Called) => setCalled((before) => [made, ...before])
  return (
    <article class="row" aria-label={title} ref={row}>
      <div class="line">
        <h2>{title}</h2>
        <code class="faint">{name}</code>
        <span class="grow" />
        <button
          type="button"
          class="small"
          aria-expanded={isTried}
          onClick={() => setTried((before) => !before)}
        >
          Try it
        </button>
      </div>
      <p class="about">{description}</p>
      {isTried && (
        <ToolForm
          tool={tool}
          action="Call"
          key={filled.count}
          keep={keep}
          args={filled.args}
          takesFocus={!isOpen}
          onLink={(typed) => void copyLink(typed)}
          onSubmit={async (args) => add(await callTool(name, args, { key: newKey() }))}
        />
      )}
      <p class="about" role="status" hidden={copied === ''}>
        {copied}
      </p>
      <div aria-live="polite">
        {called.map((made, index) => (
          <div class="outcome" key={called.length - index}>
            {'jobId' in made ? (
              <JobCard id={made.jobId} onVaried={(jobId) => add({ jobId })} />
            ) : (
              <ResultView result={made.result} />
            )}
          </div>
        ))}
      </div>
      <Schema name="Arguments" schema={inputSchema} />
      {outputSchema && <Schema name="Answer" schema={outputSchema} />}
    </article>
  )
}

function Schema({ name, schema }: { name: string; schema: unknown }) {
  return (
    <details class="json">
      <summary>{name} as JSON Schema</summary>
      <pre tabIndex={0}>{JSON.stringify(schema, null, 2)}</pre>
    </details>
  )
}
