/** One operation: what it takes, what it answers, how programs send it, and a form to try it. */
import { useMemo, useState } from 'preact/hooks'
import { CodeBlock } from '../markdown/code-block.tsx'
import { useKept } from '../kept-state.ts'
import type { Operation } from './document.ts'
import { exampleArgs, prepare, type Prepared, samples } from './operation-request.ts'
import { Property, SchemaView } from './schema-view.tsx'
import { TryIt } from './try-it.tsx'

export function OperationView({ operation }: { operation: Operation }) {
  const { method, path, title, about, parameters, body, answers } = operation
  const [sent, setSent] = useState<Prepared | undefined>()
  const prepared = useMemo(() => sent ?? prepare(operation, exampleArgs(operation)), [sent])
  return (
    <article class="operation" aria-labelledby="operation-title">
      <header>
        <h2 id="operation-title" tabIndex={-1}>
          {title}
        </h2>
        <p class="operation-path">
          <Method method={method} /> <code>{path}</code>
        </p>
        {about !== '' && <p class="said">{about}</p>}
      </header>
      <div class="operation-columns">
        <div class="operation-parts">
          {parameters.length > 0 && (
            <section>
              <h3>Parameters</h3>
              <dl class="schema">
                {parameters.map(({ name, in: place, schema, about, required }) => (
                  <Property
                    key={`${place} ${name}`}
                    name={name}
                    schema={about === '' ? schema : { ...schema, description: about }}
                    place={place}
                    isRequired={required}
                    depth={1}
                  />
                ))}
              </dl>
            </section>
          )}
          {body && (
            <section>
              <h3>Body</h3>
              <SchemaView schema={body} />
            </section>
          )}
          <section>
            <h3>Responses</h3>
            {answers.map(({ status, about, schema, mediaType }) => (
              <details class="answer" key={status}>
                <summary>
                  <code>{status}</code> {about}
                </summary>
                {mediaType !== '' && <p class="faint small-text">{mediaType}</p>}
                {schema && <SchemaView schema={schema} />}
              </details>
            ))}
          </section>
        </div>
        <div class="operation-programs">
          <section>
            <h3>Request</h3>
            <Samples prepared={prepared} />
          </section>
          <section class="card">
            <h3>Try it</h3>
            <TryIt operation={operation} onSent={setSent} />
          </section>
        </div>
      </div>
    </article>
  )
}

export function Method({ method }: { method: string }) {
  return (
    <span class="method" data-method={method}>
      {method === 'DELETE' ? 'DEL' : method}
    </span>
  )
}

function Samples({ prepared }: { prepared: Prepared }) {
  const [chosen, setChosen] = useKept('reference.language', () => 'curl')
  const all = samples(location.origin, prepared)
  const shown = all.find(({ name }) => name === chosen) ?? all[0]
  return (
    <>
      <div class="languages" role="group" aria-label="Language">
        {all.map(({ name }) => (
          <button
            type="button"
            class="small"
            key={name}
            aria-pressed={name === shown?.name}
            onClick={() => setChosen(() => name)}
          >
            {name}
          </button>
        ))}
      </div>
      {shown && <CodeBlock language={shown.language} code={shown.code} />}
    </>
  )
}
