/** The exchange with the server, message by message. Passwords and tokens are left out. */
import { EventReader } from 'ftl-contract'
import { withoutSecrets } from '../../form/schema/secrets.ts'
import { isObject, own, withProperty } from '../../form/schema/values.ts'
import type { Exchange } from '../mcp/exchanges.ts'
import type { Run } from '../run/run-tool.ts'
import { JsonTree } from './json-tree.tsx'

interface RawViewProps {
  exchanges: readonly Exchange[]
  schema: unknown
  run: Run
}

export function RawView({ exchanges, schema, run }: RawViewProps) {
  if (run.protocol === 'HTTP') {
    return (
      <div class="raw">
        <h3>POST /invoke</h3>
        <JsonTree value={{ tool: run.tool, params: withoutSecrets(schema, run.args, '••••') }} />
        <h3>Answer</h3>
        <JsonTree value={run.result ?? { jobId: run.jobId }} />
      </div>
    )
  }
  if (exchanges.length === 0) return <p class="faint">Nothing has been sent.</p>
  return (
    <div class="raw">
      {exchanges.map(({ id, method, status, took, request, response, requestId, failure }) => (
        <section key={id} class="exchange" aria-label={method}>
          <h3>
            <code>{method}</code>{' '}
            <span class="faint">
              {[status, took === undefined ? 'running' : `${took.toFixed(0)} ms`, requestId]
                .filter((part) => part !== undefined)
                .join(' · ')}
            </span>
          </h3>
          <Headers title="Request headers" headers={request.headers} />
          <JsonTree value={redacted(parsed(request.body), schema)} />
          {failure !== undefined && <p class="problem">{failure}</p>}
          {response && (
            <>
              <Headers title="Response headers" headers={response.headers} />
              {messagesOf(response.body).map((message, index) => (
                <JsonTree key={index} value={message} />
              ))}
            </>
          )}
        </section>
      ))}
    </div>
  )
}

function Headers({ title, headers }: { title: string; headers: [string, string][] }) {
  return (
    <details class="json">
      <summary>{title}</summary>
      <pre tabIndex={0}>{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
    </details>
  )
}

/** The arguments of a call without their secrets, and no approval. */
function redacted(message: unknown, schema: unknown): unknown {
  const params = own(message, 'params')
  if (!isObject(params)) return message
  const args = own(params, 'arguments')
  const meta = own(params, '_meta')
  let shown =
    args === undefined
      ? params
      : withProperty(params, 'arguments', withoutSecrets(schema, args, '••••'))
  if (isObject(meta) && Object.hasOwn(meta, 'ftl/approval')) {
    shown = withProperty(shown, '_meta', withProperty(meta, 'ftl/approval', '••••'))
  }
  return withProperty(message, 'params', shown)
}

/** The messages of a body: one as JSON, or those of an event stream. */
function messagesOf(body: string): unknown[] {
  // The last event of a body that was cut has no end.
  const found = new EventReader().push(`${body}\n\n`)
  const events = found.flatMap(({ data }) => (data.trim() === '' ? [] : [parsed(data)]))
  return events.length > 0 ? events : body === '' ? [] : [parsed(body)]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
