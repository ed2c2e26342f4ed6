/** One tool: what it says of itself, its form, and the results of its calls. */
import { useEffect, useState } from 'preact/hooks'
import { ToolForm } from '../form/tool-form.tsx'
import { forgetKept, useKept } from '../kept-state.ts'
import { catalog, type Tool } from '../net/tools.ts'
import { toolLink } from '../tool-link.ts'
import { marksOf } from './list/rows.ts'
import { reachLine } from './tool-reach.ts'
import { ResultPane } from './result/result-pane.tsx'
import { type Protocol, type Run, runTool } from './run/run-tool.ts'
import { isForeign, type Server } from './servers/known-servers.ts'
import './tool-pane.css'

interface ToolPaneProps {
  server: Server
  tool: Tool
  /** Of the address. */
  args: Record<string, unknown> | undefined
  component: string | undefined
  /** Whether the list of tools had it, and has it no longer. */
  isGone: boolean
}

/** Calls of a tool that are kept. */
const MOST_RUNS = 20

export function ToolPane({ server, tool, args, component, isGone }: ToolPaneProps) {
  const { name, title, description, inputSchema, outputSchema } = tool
  const isOwn = !isForeign(server)
  const keep = `${server.id}tools.${name}`
  const [runs, setRuns] = useKept<readonly Run[]>(`${keep}.runs`, () => [])
  const [filled, setFilled] = useState<{ args?: Record<string, unknown>; count: number }>({
    count: 0,
  })
  const [copied, setCopied] = useState('')
  const [current, setCurrent] = useState<Record<string, unknown>>({})
  const [protocol, setProtocol] = useKept<Protocol>('tools.protocol', () => 'MCP')
  useEffect(() => {
    if (!args) return
    // A link replaces what was typed.
    forgetKept(`${keep}.typed`)
    forgetKept(`${keep}.json`)
    setFilled(({ count }) => ({ args, count: count + 1 }))
  }, [args])
  const copyLink = async (typed: Record<string, unknown>) => {
    history.replaceState(null, '', toolLink(name, typed, catalog.get().tools))
    try {
      await navigator.clipboard.writeText(location.href)
      setCopied('The link is copied. It fills the form and calls nothing.')
    } catch {
      setCopied('The link is in the address bar. It fills the form and calls nothing.')
    }
  }
  const change = (run: Run) =>
    setRuns((all) =>
      all.some(({ id }) => id === run.id)
        ? all.map((other) => (other.id === run.id ? run : other))
        : [run, ...all].slice(0, MOST_RUNS),
    )
  return (
    <article class="tool-pane" aria-label={title}>
      <section class="tool-side">
        <header class="tool-head">
          <h2>{title}</h2>
          <p class="line">
            <code class="faint">{name}</code>
            {component !== undefined && component !== '' && (
              <span class="faint">in {component}</span>
            )}
            {marksOf(tool).map(({ text, title: why, tone }) => (
              <span key={text} class="badge" data-state={tone} title={why}>
                {text}
              </span>
            ))}
          </p>
          <p class="about tool-about">{description}</p>
          {tool.reach && <p class="faint small-text tool-reach">{reachLine(tool.reach)}</p>}
        </header>
        <ToolForm
          tool={tool}
          action="Run"
          mayUpload={isOwn}
          key={filled.count}
          keep={keep}
          args={filled.args}
          // A link has no server, and this browser remembers nothing of other servers.
          {...(isOwn ? { onLink: (typed) => void copyLink(typed) } : { remember: '' })}
          onArguments={setCurrent}
          onSubmit={(typed, signal) =>
            runTool(tool, typed, {
              server,
              protocol: isOwn ? protocol : 'MCP',
              signal,
              onChange: change,
            })
          }
        />
        {/* Below the form: above it, it would move the button under a pointer. */}
        {isGone && (
          <p class="problem" role="alert">
            {isOwn ? 'The gateway' : 'The server'} does not offer this tool now.
          </p>
        )}
        {isOwn && (
          <div class="over">
            <span class="faint small-text" id="over-label">
              Call over
            </span>
            <div class="switch" role="group" aria-labelledby="over-label">
              {(['MCP', 'HTTP'] as const).map((name) => (
                <button
                  key={name}
                  type="button"
                  aria-pressed={protocol === name}
                  onClick={() => setProtocol(() => name)}
                >
                  {name}
                </button>
              ))}
            </div>
          </div>
        )}
        <p class="about" role="status" hidden={copied === ''}>
          {copied}
        </p>
        <Schema name="Arguments" schema={inputSchema} />
        {outputSchema && <Schema name="Answer" schema={outputSchema} />}
      </section>
      <ResultPane tool={tool} runs={runs} args={current} onRun={change} isForeign={!isOwn} />
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
