/** The pane of what is chosen in the list. All but that of a tool are loaded when they are first opened. */
import type { FunctionComponent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useLoaded } from '../frame/loaded.ts'
import { Icon } from '../icons.tsx'
import { catalog, type Tool } from '../net/tools.ts'
import type { Route } from '../route.ts'
import { needsSignIn, session } from '../sign-in/session.ts'
import { plainWords } from '../sign-in/challenge.ts'
import { useStore } from '../store.ts'
import type { Part } from './list/bench-list.tsx'
import { owners } from './list/owners.ts'
import { keyOf, type Kind, offerOf, offers } from './offers/offers.ts'
import { connections } from './mcp/connection.ts'
import type { PromptPaneProps } from './offers/prompt-pane.tsx'
import type { ResourcePaneProps } from './offers/resource-pane.tsx'
import type { TemplatePaneProps } from './offers/template-pane.tsx'
import { chooseServer, GATEWAY, isForeign, type Server } from './servers/known-servers.ts'
import type { ServerPaneProps } from './servers/server-pane.tsx'
import { ToolPane } from './tool-pane.tsx'

interface PaneProps {
  part: Part
  server: Server
  route: Route
  /** After the pane is in the document. */
  onShown: () => void
}

const loadPrompt = async () => (await import('./offers/prompt-pane.tsx')).PromptPane
const loadResource = async () => (await import('./offers/resource-pane.tsx')).ResourcePane
const loadTemplate = async () => (await import('./offers/template-pane.tsx')).TemplatePane
const loadServer = async () => (await import('./servers/server-pane.tsx')).ServerPane

export function Pane({ part, server, route: { of, args }, onShown }: PaneProps) {
  const all = useStore(offers)
  const { tools, loading } = useStore(catalog)
  const componentOf = useStore(owners)
  const isShut = needsSignIn(useStore(session))
  const connection = useStore(connections).get(server.id)
  const key = `${server.id} ${part} ${of}`
  const shown = useRef<{ key: string; tool: Tool }>(undefined)
  const find = (kind: Kind) =>
    offerOf(all, server, kind)?.entries.find((entry) => keyOf(entry) === of)
  // What happens, and what to do, is more useful than an empty pane.
  const isShutOut = isForeign(server) && connection !== undefined && connection.state !== 'open'
  if (part === 'server' || isShutOut) {
    return (
      <Later<ServerPaneProps> key={key} load={loadServer} props={{ server }} {...{ onShown }} />
    )
  }
  if (of === '') return <Empty part={part} />
  if (part === 'tools') {
    const own = isForeign(server) ? undefined : tools.find(({ name }) => name === of)
    const other = isForeign(server) ? find('tools') : undefined
    const listed = own ?? (other?.kind === 'tool' ? other : undefined)
    if (listed) shown.current = { key, tool: listed }
    // A component that starts again has no tools for a moment: what was typed, files and calls must not go with them.
    const tool = shown.current?.key === key ? shown.current.tool : undefined
    if (tool) {
      const component = isForeign(server) ? undefined : componentOf.get(of)
      const isGone = listed === undefined
      return <ToolPane key={key} {...{ server, tool, args, component, isGone }} />
    }
    const isLoading = isForeign(server) ? isReading(all, server, ['tools']) : loading || isShut
    return isLoading ? null : <Missing what="tool" {...{ server, of }} />
  }
  if (part === 'prompts') {
    const prompt = find('prompts')
    if (prompt?.kind === 'prompt') {
      const props = { server, prompt, args }
      return <Later<PromptPaneProps> key={key} load={loadPrompt} {...{ props, onShown }} />
    }
    return isReading(all, server, ['prompts']) ? null : (
      <Missing what="prompt" {...{ server, of }} />
    )
  }
  const template = find('templates')
  if (template?.kind === 'template') {
    const props = { server, template, args }
    return <Later<TemplatePaneProps> key={key} load={loadTemplate} {...{ props, onShown }} />
  }
  const resource = find('resources')
  if (!resource && isReading(all, server, ['resources', 'templates'])) return null
  // A resource need not be in the list: it may come from a template, or from the answer of a tool.
  const known = resource?.kind === 'resource' ? resource : undefined
  const props = { server, uri: of, resource: known }
  return <Later<ResourcePaneProps> key={key} load={loadResource} {...{ props, onShown }} />
}

function isReading(all: Parameters<typeof offerOf>[0], server: Server, kinds: Kind[]): boolean {
  return kinds.some((kind) => {
    const { state } = offerOf(all, server, kind) ?? {}
    return state === undefined || state === 'reading' || state === 'failed'
  })
}

function Missing({ what, server, of }: { what: string; server: Server; of: string }) {
  return (
    <div class="bench-missing">
      <p class="problem">
        There is no {what} "{plainWords(of)}"{isForeign(server) && ` at ${server.name}`}.
      </p>
      {isForeign(server) && (
        <button type="button" onClick={() => chooseServer(GATEWAY.id)}>
          Look at this gateway
        </button>
      )}
    </div>
  )
}

const HINTS: Record<Part, string> = {
  tools: 'Choose a tool to see its form, run it, and read what it answers.',
  prompts: 'Choose a prompt to fill in its arguments and read its messages.',
  resources: 'Choose a resource to read it, or a template to fill in its variables.',
  server: '',
}

function Empty({ part }: { part: Part }) {
  return (
    <div class="bench-empty">
      <Icon name={part === 'tools' ? 'tools' : part === 'prompts' ? 'chat' : 'book'} />
      <p>{HINTS[part]}</p>
    </div>
  )
}

interface LaterProps<P> {
  load: () => Promise<FunctionComponent<P>>
  props: P
  onShown: () => void
}

function Later<P extends object>({ load, props, onShown }: LaterProps<P>) {
  const { part: Loaded, failures, retry } = useLoaded(load)
  const isThere = Loaded !== undefined
  useLayoutEffect(onShown, [isThere])
  if (Loaded) return <Loaded {...props} />
  if (failures === 0) return <p class="faint bench-missing">Loading…</p>
  return (
    <p class="problem bench-missing" role="alert">
      This part of the page could not be loaded.{' '}
      <button type="button" class="small" onClick={retry}>
        Try again
      </button>
    </p>
  )
}
