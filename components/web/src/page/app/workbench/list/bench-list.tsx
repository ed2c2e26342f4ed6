/** The left column: the server, what it offers, and the list of that. */
import { useCallback, useEffect } from 'preact/hooks'
import { catalog, components, loadComponents, loadTools } from '../../net/tools.ts'
import { needsSignIn, session } from '../../sign-in/session.ts'
import { useStore } from '../../store.ts'
import { connections } from '../mcp/connection.ts'
import { keyOf, type Kind, loadMore, loadOffer, offerOf, offers } from '../offers/offers.ts'
import { readNow } from '../offers/read-now.ts'
import { chosenServer, isForeign, type Server, servers } from '../servers/known-servers.ts'
import { ServerChooser } from '../servers/server-chooser.tsx'
import { OfferList } from './offer-list.tsx'
import { itemsOf } from './items.ts'
import { loadOwners, owners } from './owners.ts'
import { groupedRows, rowsOf } from './rows.ts'

/** Parts of the workbench, which are views of their own in addresses. */
export const PARTS = ['tools', 'prompts', 'resources', 'server'] as const
export type Part = (typeof PARTS)[number]

const TITLES: Record<Part, string> = {
  tools: 'Tools',
  prompts: 'Prompts',
  resources: 'Resources',
  server: 'Server',
}

const KINDS: Record<Part, Kind[]> = {
  tools: ['tools'],
  prompts: ['prompts'],
  resources: ['resources', 'templates'],
  server: [],
}

export function BenchList({ part, selected }: { part: Part; selected: string }) {
  const server = chosenServer(useStore(servers))
  const isGatewaysTools = part === 'tools' && !isForeign(server)
  return (
    <section class="bench-list" aria-label={TITLES[part]}>
      <header class="bench-head">
        <h1 tabIndex={-1}>{TITLES[part]}</h1>
      </header>
      <ServerChooser server={server} isShown={part === 'server'} />
      <Parts part={part} server={server} />
      {part === 'server' && (
        <p class="about">What the server says of itself, and what it reports.</p>
      )}
      {part !== 'server' &&
        (isGatewaysTools ? (
          <GatewaysTools selected={selected} />
        ) : (
          <Offered key={`${server.id} ${part}`} {...{ part, server, selected }} />
        ))}
    </section>
  )
}

function Parts({ part, server }: { part: Part; server: Server }) {
  const all = useStore(offers)
  const { tools } = useStore(catalog)
  const countOf = (each: Part) => {
    if (each === 'tools' && !isForeign(server)) return tools.length
    const known = KINDS[each].flatMap((kind) => offerOf(all, server, kind) ?? [])
    return known.length === 0 ? 0 : known.reduce((sum, { entries }) => sum + entries.length, 0)
  }
  return (
    <nav class="bench-parts" aria-label="Parts of the workbench">
      {PARTS.filter((each) => each !== 'server').map((each) => (
        <a key={each} href={`#/${each}`} aria-current={each === part ? 'page' : undefined}>
          {TITLES[each]}
          {countOf(each) > 0 && <span class="faint"> {countOf(each)}</span>}
        </a>
      ))}
    </nav>
  )
}

/** Those of this gateway come over plain HTTP, with the state of their components, and need no client. */
function GatewaysTools({ selected }: { selected: string }) {
  const { tools, loading, problem } = useStore(catalog)
  const { list, problem: unknownHealth } = useStore(components)
  const componentOf = useStore(owners)
  const isShut = needsSignIn(useStore(session))
  useEffect(() => {
    void loadTools()
    void loadComponents()
    void loadOwners()
  }, [])
  const rowsFor = useCallback(
    (query: string) => rowsOf(tools, componentOf, list, query),
    [tools, componentOf, list],
  )
  return (
    <>
      {problem !== '' && <p class="problem">{problem}</p>}
      {unknownHealth !== '' && <p class="problem">{unknownHealth}</p>}
      {loading && !isShut && <p class="faint">Looking…</p>}
      {tools.length > 0 && (
        <OfferList noun="tools" keep="tools" count={tools.length} {...{ rowsFor, selected }} />
      )}
      {!loading && tools.length === 0 && problem === '' && (
        <p class="about">
          This gateway has no tools yet: name their components in the variable tool_components.
        </p>
      )}
    </>
  )
}

interface OfferedProps {
  part: Part
  server: Server
  selected: string
}

function Offered({ part, server, selected }: OfferedProps) {
  const all = useStore(offers)
  const state = useStore(connections).get(server.id)?.state
  const kinds = KINDS[part]
  const known = kinds.map((kind) => ({ kind, offer: offerOf(all, server, kind) }))
  const isMissing = known.some(({ offer }) => offer === undefined)
  useEffect(() => {
    // After a reconnection they are read again.
    for (const kind of kinds) void loadOffer(server, kind)
  }, [server, isMissing])
  const entries = known.flatMap(({ offer }) => offer?.entries ?? [])
  const rowsFor = useCallback(
    (query: string) => groupedRows(itemsOf(part, entries), query),
    [all, part],
  )
  const isReading = known.some(({ offer }) => offer === undefined || offer.state === 'reading')
  const failed = known.find(({ offer }) => offer?.state === 'failed')?.offer
  const notes = new Set(known.flatMap(({ offer }) => offer?.notes ?? []))
  return (
    <>
      {isReading && entries.length === 0 && (
        <p class="faint" role="status">
          {state === 'connecting' ? 'Connecting…' : 'Looking…'}
        </p>
      )}
      {failed && !isReading && (
        <p class="problem" role="alert">
          {failed.refusal?.message}{' '}
          {state === 'open' ? failed.refusal?.help : <a href="#/server">Details</a>}
        </p>
      )}
      {failed && !isReading && (
        <button
          type="button"
          class="small bench-more"
          onClick={() => {
            for (const kind of kinds) void loadOffer(server, kind)
          }}
        >
          Try again
        </button>
      )}
      {!isReading && !failed && entries.length === 0 && (
        <p class="about">
          {isForeign(server) ? 'This server' : 'This gateway'} offers no {part}.
        </p>
      )}
      {[...notes].map((note) => (
        <p key={note} class="about">
          {note}
        </p>
      ))}
      {entries.length > 0 && (
        <OfferList
          noun={part}
          keep={`${server.id}.${part}`}
          count={entries.length}
          onChoose={(key) =>
            readNow(entries.some((one) => one.kind === 'resource' && keyOf(one) === key) ? key : '')
          }
          {...{ rowsFor, selected }}
        />
      )}
      {known.map(
        ({ kind, offer }) =>
          offer?.cursor !== undefined && (
            <button
              key={kind}
              type="button"
              class="small bench-more"
              aria-busy={offer.state === 'reading'}
              onClick={() => void loadMore(server, kind)}
            >
              Load more {kind}
            </button>
          ),
      )}
    </>
  )
}
