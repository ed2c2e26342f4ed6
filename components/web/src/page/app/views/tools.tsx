/** Lists components with their status, and tools with a form to try them. */
import { useEffect, useState } from 'preact/hooks'
import { ToolForm } from '../form/tool-form.tsx'
import { type Called, callTool, newKey } from '../jobs/call.ts'
import { JobCard } from '../jobs/job-card.tsx'
import { catalog, components, loadComponents, loadTools, type Tool } from '../net/tools.ts'
import { ResultView } from '../result-view.tsx'
import { needsSignIn, session } from '../sign-in/session.ts'
import { useStore } from '../store.ts'

export function Tools({ of }: { of: string }) {
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
            <ToolRow tool={tool} isOpen={tool.name === of} />
          </li>
        ))}
      </ul>
    </>
  )
}

function ToolRow({ tool, isOpen }: { tool: Tool; isOpen: boolean }) {
  const { name, title, description, inputSchema, outputSchema } = tool
  const [isTried, setTried] = useState(isOpen)
  const [called, setCalled] = useState<readonly Called[]>([])
  const add = (made: Called) => setCalled((before) => [made, ...before])
  return (
    <article class="row" aria-label={title}>
      <div class="line">
        <h2>{title}</h2>
        <code class="faint">{name}</code>
        <span class="grow" />
        <button
          type="button"
          class="small"
          aria-expanded={isTried}
          onClick={() => setTried(!isTried)}
        >
          Try it
        </button>
      </div>
      <p class="about">{description}</p>
      {isTried && (
        <ToolForm
          tool={tool}
          action="Call"
          takesFocus={!isOpen}
          onSubmit={async (args) => add(await callTool(name, args, { key: newKey() }))}
        />
      )}
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
