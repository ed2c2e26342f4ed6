/** One prompt: a form for its arguments, and the messages that it gives. */
import { useMemo, useRef } from 'preact/hooks'
import { ToolForm } from '../../form/tool-form.tsx'
import { useKept } from '../../kept-state.ts'
import { useStore } from '../../store.ts'
import { connections } from '../mcp/connection.ts'
import type { Run } from '../run/run-tool.ts'
import { isForeign, type Server } from '../servers/known-servers.ts'
import { ask } from './ask-for-offer.ts'
import { AskedResults } from './asked-results.tsx'
import { completerOf } from './complete.ts'
import { useFilled } from './filled.ts'
import { MessagesView } from './messages-view.tsx'
import { OfferHead } from './offer-head.tsx'
import type { Prompt } from './read-offers.ts'

export interface PromptPaneProps {
  server: Server
  prompt: Prompt
  /** Of the address. */
  args: Record<string, unknown> | undefined
}

export function PromptPane({ server, prompt, args }: PromptPaneProps) {
  const { name, title, description } = prompt
  const isOwn = !isForeign(server)
  const keep = `${server.id}prompts.${name}`
  const { key, given, copyLink, said } = useFilled('prompts', name, keep, args)
  const [run, setRun] = useKept<Run | undefined>(`${keep}.run`, () => undefined)
  const current = useRef<Record<string, unknown>>({})
  const connection = useStore(connections).get(server.id)
  const complete = useMemo(
    () => completerOf(server, { type: 'ref/prompt', name }, () => current.current),
    [server, name, connection],
  )
  const form = useMemo(() => formOf(prompt), [prompt])
  return (
    <article class="tool-pane" aria-label={title}>
      <section class="tool-side">
        <OfferHead {...{ title, description }} code={name} marks={[]} />
        <ToolForm
          tool={form}
          action="Get messages"
          key={key}
          keep={keep}
          args={given}
          remember={isOwn ? `prompt ${name}` : ''}
          {...(complete && { complete })}
          {...(isOwn && { onLink: copyLink })}
          onArguments={(typed) => (current.current = typed)}
          onSubmit={(typed, signal) =>
            ask({
              server,
              method: 'prompts/get',
              params: { name, arguments: typed },
              signal,
              onChange: (changed) => setRun(() => changed),
            })
          }
        />
        <p class="about" role="status" hidden={said === ''}>
          {said}
        </p>
      </section>
      <AskedResults
        server={server}
        method="prompts/get"
        run={run}
        hint="Get the messages: they appear here, as a model receives them."
        view={(result) => <MessagesView result={result} />}
      />
    </article>
  )
}

/** Arguments of prompts are texts. */
function formOf({ name, title, description, arguments: args }: Prompt) {
  const properties = args.map(({ name: key, title: label, description: about }) => [
    key,
    { type: 'string', title: label, ...(about !== '' && { description: about }) },
  ])
  const inputSchema = {
    type: 'object',
    properties: Object.fromEntries(properties) as object,
    required: args.filter(({ required }) => required).map(({ name: key }) => key),
    additionalProperties: false,
  }
  return { name, title, description, inputSchema, annotations: {} }
}
