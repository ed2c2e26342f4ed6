/** Sends the request of a form, and shows what the gateway answers. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { jsonOf } from 'ftl-contract'
import { ToolForm } from '../form/tool-form.tsx'
import { bringIntoView } from '../frame/bring-into-view.ts'
import { CodeBlock } from '../markdown/code-block.tsx'
import { ApiError, asRecord } from '../net/api.ts'
import { ResultView } from '../result-view.tsx'
import { send } from '../sign-in/session.ts'
import type { Operation } from './document.ts'
import { formSchema, prepare, type Prepared } from './operation-request.ts'

/** Of an answer that does not end, such as a stream of events. */
const LONGEST_MS = 60_000
/** Characters. */
const MOST_SHOWN = 100_000

interface Received {
  status: number
  ms: number
  text: string
  json: unknown
}

interface TryItProps {
  operation: Operation
  onSent: (prepared: Prepared) => void
}

export function TryIt({ operation, onSent }: TryItProps) {
  const [received, setReceived] = useState<Received | undefined>()
  const tool = useMemo(
    () => ({
      name: operation.id,
      title: operation.title,
      description: operation.about,
      inputSchema: formSchema(operation),
      annotations: {},
    }),
    [operation],
  )
  const submit = async (args: Record<string, unknown>) => {
    const prepared = prepare(operation, args)
    onSent(prepared)
    setReceived(undefined)
    setReceived(await exchange(prepared))
  }
  return (
    <div class="try-it">
      <ToolForm
        tool={tool}
        action="Send"
        mayUpload
        keep={`reference.${operation.id}`}
        onSubmit={submit}
      />
      <div aria-live="polite">{received && <ReceivedView {...received} />}</div>
    </div>
  )
}

function ReceivedView({ status, ms, text, json }: Received) {
  const section = useRef<HTMLElement>(null)
  // The answer is below the form, and often below the end of the screen.
  useEffect(() => {
    if (section.current) bringIntoView(section.current)
  }, [])
  const hasContent = Array.isArray(asRecord(json)['content'])
  return (
    <section class="received" aria-label="Answer" ref={section}>
      <p>
        <span class="badge" data-state={status < 400 ? 'ok' : 'failed'}>
          {status}
        </span>{' '}
        <span class="faint small-text">{Math.round(ms)} ms</span>
      </p>
      {hasContent && <ResultView result={json} />}
      {text !== '' && (
        <CodeBlock
          language={json === undefined ? 'text' : 'json'}
          code={json === undefined ? text : JSON.stringify(json, null, 2)}
        />
      )}
    </section>
  )
}

async function exchange({ method, path, headers, body }: Prepared): Promise<Received> {
  const start = performance.now()
  const timeout = AbortSignal.timeout(LONGEST_MS)
  try {
    const init = { method, headers, signal: timeout }
    const sent = body === undefined ? init : { ...init, body: JSON.stringify(body) }
    const response = await send(path, sent, true)
    const text = await readText(response)
    return { status: response.status, ms: performance.now() - start, text, json: jsonOf(text) }
  } catch {
    throw new ApiError(0, 'unreachable', unreachable(timeout.aborted))
  }
}

function unreachable(isLate: boolean): string {
  return isLate
    ? 'There was no answer within a minute.'
    : 'The gateway cannot be reached. Check the connection and try again.'
}

/** What has come until the answer ends, or until it is too long. */
async function readText(response: Response): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let all = ''
  while (reader && all.length < MOST_SHOWN) {
    const { done, value } = await reader.read()
    if (done) return all
    all += value
  }
  await reader?.cancel()
  return all
}
