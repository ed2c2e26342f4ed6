/** One template of resources: a form for its variables, the address that they make, and what is there. */
import { useMemo, useRef, useState } from 'preact/hooks'
import { expandUriTemplate, variablesOfUriTemplate } from 'ftl-contract/expand-uri-template'
import { ToolForm } from '../../form/tool-form.tsx'
import { useKept } from '../../kept-state.ts'
import { plainWords } from '../../sign-in/challenge.ts'
import { useStore } from '../../store.ts'
import { connections } from '../mcp/connection.ts'
import type { Run } from '../run/run-tool.ts'
import { isForeign, type Server } from '../servers/known-servers.ts'
import { asRecord } from '../../net/api.ts'
import { ask } from './ask-for-offer.ts'
import { AskedResults } from './asked-results.tsx'
import { completerOf } from './complete.ts'
import { ContentsView } from './contents-view.tsx'
import { useFilled } from './filled.ts'
import { OfferHead } from './offer-head.tsx'
import type { Template } from './read-offers.ts'
import { Subscription } from './subscription.tsx'

export interface TemplatePaneProps {
  server: Server
  template: Template
  /** Of the address. */
  args: Record<string, unknown> | undefined
}

export function TemplatePane({ server, template, args }: TemplatePaneProps) {
  const { uriTemplate, title, description, mimeType } = template
  const isOwn = !isForeign(server)
  const keep = `${server.id}templates.${uriTemplate}`
  const { key, given, copyLink, said } = useFilled('resources', uriTemplate, keep, args)
  const [run, setRun] = useKept<Run | undefined>(`${keep}.run`, () => undefined)
  const current = useRef<Record<string, unknown>>({})
  const [uri, setUri] = useState('')
  const connection = useStore(connections).get(server.id)
  const complete = useMemo(
    () => completerOf(server, { type: 'ref/resource', uri: uriTemplate }, () => current.current),
    [server, uriTemplate, connection],
  )
  const form = useMemo(() => formOf(template), [template])
  return (
    <article class="tool-pane" aria-label={title}>
      <section class="tool-side">
        <OfferHead {...{ title, description }} code={uriTemplate} marks={['template', mimeType]} />
        <ToolForm
          tool={form}
          action="Read"
          key={key}
          keep={keep}
          args={given}
          remember={isOwn ? `template ${uriTemplate}` : ''}
          {...(complete && { complete })}
          {...(isOwn && { onLink: copyLink })}
          onArguments={(typed) => {
            current.current = typed
            setUri(expandUriTemplate(uriTemplate, typed))
          }}
          onSubmit={(typed, signal) =>
            ask({
              server,
              method: 'resources/read',
              params: { uri: expandUriTemplate(uriTemplate, typed) },
              signal,
              onChange: (changed) => setRun(() => changed),
            })
          }
        />
        <p class="about">
          Address: <code>{plainWords(uri)}</code>
        </p>
        <p class="about" role="status" hidden={said === ''}>
          {said}
        </p>
        {run && <Subscription key={run.tool} {...{ server }} uri={run.tool} />}
      </section>
      <AskedResults
        server={server}
        method="resources/read"
        run={run}
        hint="Fill in the variables and read: the contents appear here."
        view={(result) => <ContentsView contents={asRecord(result)['contents']} />}
      />
    </article>
  )
}

function formOf({ uriTemplate, title, description }: Template) {
  const variables = variablesOfUriTemplate(uriTemplate)
  // One line, whatever its name.
  const line = { type: 'string', format: 'line' }
  const inputSchema = {
    type: 'object',
    properties: Object.fromEntries(variables.map(({ name }) => [name, line])),
    required: variables.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
    additionalProperties: false,
  }
  return { name: uriTemplate, title, description, inputSchema, annotations: {} }
}
