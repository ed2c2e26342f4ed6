/**
 * The viewer: shows the call it was opened for, follows its job, and makes variations.
 *
 * It sends requests only to its host, and loads pictures by `resources/read`. So it needs no URL of the gateway, and
 * neither mixed-content blocking nor the host's content security policy can block pictures. Only previews come from the
 * bridge, where the host permits it.
 */
import { type Card, createCard, type Deeds, type Loaded, showMode } from './card.ts'
import type { Arguments, HostContext, Initialized, ToolResult } from './host-protocol.ts'
import { applyTheme, type Host, greet, openHost, systemTheme, watchSize } from './host.ts'
import { follow, type Jobs, messageOf } from './follow.ts'
import type { Picture } from './read-result.ts'

/** Requests the job's handle at once; a gateway that does not support it answers when the picture is finished. */
const AT_ONCE = { _meta: { 'ftl/wait_ms': 0 } }

const parent = document.querySelector<HTMLElement>('#cards') ?? document.body
let can: Initialized['hostCapabilities'] = {}
let context: HostContext = {}
let current: Card | undefined
let left = false

const told = new WeakSet<Card>()
const followed = new WeakSet<Card>()
const jobs: Jobs = {
  call: callTool,
  mayCall: () => can?.serverTools !== undefined,
  isLeft: () => left,
  began: (card) => followed.add(card),
}
/** The cards of the host's own call, which it may give a result of after its job was followed here. */
const ofJob = new Map<string, Card>()

const host: Host = openHost({
  'ui/notifications/tool-input': ({ arguments: given }) => began(given),
  'ui/notifications/tool-input-partial': ({ arguments: given }) => began(given),
  'ui/notifications/tool-result': ended,
  'ui/notifications/tool-cancelled': ({ reason }) =>
    unended().ended('cancelled', reason ? `Cancelled: ${reason}` : 'Cancelled.'),
  'ui/notifications/host-context-changed': take,
  teardown: () => (left = true),
})

applyTheme(systemTheme())
const { hostCapabilities, hostContext = {} } = await greet(host)
can = hostCapabilities
take(hostContext)
watchSize((size) => host.notify('ui/notifications/size-changed', size))

function take(changed: HostContext): void {
  context = { ...context, ...changed }
  applyTheme(changed)
  watchJob(changed['ftl/job']?.job_id)
  if (changed.displayMode !== undefined) {
    showMode(changed.displayMode === 'fullscreen' ? 'fullscreen' : 'inline')
  }
}

/** Returns the card of the call that the host's notification is about. */
function unended(): Card {
  if (current?.state !== 'running') current = createCard(parent, deeds())
  return current
}

function began(given: Arguments = {}): void {
  const card = unended()
  card.begin(given)
  tellTime(card)
}

/** The host sends nothing while it waits for a tool, so the elapsed time shows that the call is still running. */
function tellTime(card: Card): void {
  if (told.has(card)) return
  told.add(card)
  const start = Date.now()
  const tell = () => {
    if (card.state !== 'running' || followed.has(card) || left) return clearInterval(timer)
    card.running(`Drawing (${Math.round((Date.now() - start) / 1000)} s)`)
  }
  const timer = setInterval(tell, 1000)
  tell()
}

/** The host's page names the job of the call, so its progress is seen before there is a result. */
function watchJob(id: unknown): void {
  if (typeof id !== 'string' || ofJob.has(id)) return
  const card = unended()
  ofJob.set(id, card)
  const handle = { content: [], structuredContent: { job_id: id } }
  void follow(card, handle, jobs)
}

function ended(result: ToolResult): void {
  const [known] = ofJob.values()
  // Already shown.
  if (known && known.state !== 'running') return
  void follow(known ?? unended(), result, jobs)
}

/** Repeats the call with another seed. */
async function vary(given: Arguments): Promise<void> {
  const [seed = 0] = crypto.getRandomValues(new Uint32Array(1))
  await repeat({ ...given, seed })
}

async function repeat(args: Arguments): Promise<void> {
  const card = createCard(parent, deeds())
  card.begin(args)
  tellTime(card)
  try {
    const name = context.toolInfo?.tool?.name ?? 'generate_image'
    const seen = await follow(card, await callTool(name, args, AT_ONCE), jobs)
    if (seen.kind === 'pictures') tellModel(seen.text, seen.pictures)
  } catch (error) {
    card.ended('failed', messageOf(error))
  }
}

/** The model did not make this call, so it does not know about the picture. */
function tellModel(text: string, pictures: Picture[]): void {
  if (!can?.updateModelContext) return
  const addresses = pictures.map(({ address }) => address).join(' ')
  const content = [{ type: 'text', text: `The user made a variation. ${text} ${addresses}` }]
  void host.request('ui/update-model-context', { content }).catch(() => undefined)
}

/** Other modes of a host, such as picture-in-picture, are left by its own means. */
async function enlarge(): Promise<void> {
  const mode = context.displayMode === 'fullscreen' ? 'inline' : 'fullscreen'
  const set = await host.request<{ mode?: string }>('ui/request-display-mode', { mode })
  take({ displayMode: set.mode ?? mode })
}

function download({ file }: Picture, { type, url }: Loaded): void {
  const blob = url.slice(url.indexOf(',') + 1)
  const resource = { uri: `picture://generate-image/${file}`, mimeType: type, blob }
  const contents = [{ type: 'resource', resource }]
  void host.request('ui/download-file', { contents }).catch(() => undefined)
}

/** The model makes the next call, so it has to know which picture is meant. */
async function useAsInput({ address }: Picture): Promise<void> {
  const text = `The user chose this picture as the input image of the next call: ${address}`
  await host.request('ui/update-model-context', { content: [{ type: 'text', text }] })
}

function deeds(): Deeds {
  const { availableDisplayModes = [] } = context
  return {
    load,
    download: can?.downloadFile && download,
    enlarge: availableDisplayModes.includes('fullscreen')
      ? () => void enlarge().catch(() => undefined)
      : undefined,
    useAsInput: can?.updateModelContext && useAsInput,
    retry: can?.serverTools && ((given) => void repeat(given)),
    open:
      can?.openLinks &&
      ((url) => void host.request('ui/open-link', { url }).catch(() => undefined)),
    vary: can?.serverTools && ((given) => void vary(given)),
  }
}

async function load({ file }: Picture): Promise<{ type: string; url: string }> {
  if (!can?.serverResources) throw new Error('This client shows no pictures here.')
  const uri = `picture://generate-image/${file}`
  const { contents } = await host.request<{ contents: { mimeType?: string; blob?: string }[] }>(
    'resources/read',
    { uri },
  )
  const { mimeType = '', blob = '' } = contents[0] ?? {}
  // Any other type, such as HTML, could be a document that runs scripts.
  if (!/^(?:image|video)\/[\w.+-]+$/.test(mimeType)) throw new Error('This is not an image.')
  return { type: mimeType, url: `data:${mimeType};base64,${blob}` }
}

function callTool(name: string, args: Arguments, more: object = {}): Promise<ToolResult> {
  return host.request('tools/call', { name, arguments: args, ...more })
}
