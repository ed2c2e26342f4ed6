/** One resource: what it says of itself, and its contents. */
import { useEffect, useState } from 'preact/hooks'
import { useKept } from '../../kept-state.ts'
import { asRecord } from '../../net/api.ts'
import type { Run } from '../run/run-tool.ts'
import type { Server } from '../servers/known-servers.ts'
import { ask } from './ask-for-offer.ts'
import { AskedResults } from './asked-results.tsx'
import { bytes, ContentsView } from './contents-view.tsx'
import { OfferHead } from './offer-head.tsx'
import { takeReadNow } from './read-now.ts'
import type { Resource } from './read-offers.ts'
import { Subscription } from './subscription.tsx'

export interface ResourcePaneProps {
  server: Server
  uri: string
  /** `undefined` if it is in no list. */
  resource: Resource | undefined
}

export function ResourcePane({ server, uri, resource }: ResourcePaneProps) {
  const { title = uri, description = '', mimeType = '', size } = resource ?? {}
  const [run, setRun] = useKept<Run | undefined>(
    `${server.id}resources.${uri}.run`,
    () => undefined,
  )
  const [running, setRunning] = useState<AbortController>()
  const read = async () => {
    running?.abort()
    const controller = new AbortController()
    setRunning(controller)
    await ask({
      server,
      method: 'resources/read',
      params: { uri },
      signal: controller.signal,
      onChange: (changed) => setRun(() => changed),
    }).catch(() => undefined)
    setRunning((now) => (now === controller ? undefined : now))
  }
  useEffect(() => {
    if (takeReadNow(uri)) void read()
  }, [])
  return (
    <article class="tool-pane" aria-label={title}>
      <section class="tool-side">
        <OfferHead
          {...{ title, description }}
          code={uri}
          marks={[mimeType, size === undefined ? '' : bytes(size)]}
        />
        {!resource && (
          <p class="about">It is in no list of the server, which may know it anyway.</p>
        )}
        <div class="actions">
          <button
            type="button"
            class="primary"
            aria-busy={running !== undefined}
            onClick={() => void read()}
          >
            {run ? 'Read again' : 'Read'}
          </button>
          {running && (
            <button type="button" onClick={() => running.abort()}>
              Stop
            </button>
          )}
        </div>
        <Subscription {...{ server, uri }} onChanged={() => void read()} />
      </section>
      <AskedResults
        server={server}
        method="resources/read"
        run={run}
        hint="Read it: its contents appear here."
        view={(result) => <ContentsView contents={asRecord(result)['contents']} />}
      />
    </article>
  )
}
