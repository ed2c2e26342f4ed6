/** The tools of all servers: their lists are stored, and requested again when they are too old. */
import { pause } from 'ftl-contract'
import type { DynamicOffer, ToolContext } from 'ftl-sdk'
import { publish, type Published } from './names.ts'
import { parseServers, type RemoteServer } from './servers.ts'
import { digestOf, type Index, type KeptList, openStore, type Store, type Target } from './store.ts'
import { SHARED } from './session-owner.ts'
import { sharesOf } from './shares.ts'
import { firstTools, usableTools } from './usable-tools.ts'
import { connect, doubtOf, isOver, type Left, listTools } from './wire/connect.ts'
import { RemoteError } from './wire/remote-error.ts'
import type { Network } from './wire/request.ts'

/** Milliseconds before a list is requested again from a server that failed. */
const RETRY_MS = 15_000
const SHORTEST_TTL_MS = 1_000
const LONGEST_TTL_MS = 3_600_000
/** Reserved for returning the answer to the caller. */
const MARGIN_MS = 400
const MOST_TOOLS = 1_000
/** Reported problems of one server. */
const MOST_PROBLEMS = 8
/** Bytes of one page of a server's list. */
const PAGE_LIMIT = 4 * 1024 * 1024
/** Bytes of all tools together: the gateway accepts a description of at most 1 MiB, the store a value of 1 MB. */
const OFFER_LIMIT = 900_000

/** The state of one request. */
export interface Remotes {
  servers: RemoteServer[]
  problems: string[]
  store: Store
  network: Network
  context: ToolContext
  /** Digest of the variable `remote_servers`. */
  digest: string
}

export async function openRemotes(context: ToolContext): Promise<Remotes> {
  const { platform, component } = context
  const text = platform.variables.get('remote_servers') ?? ''
  return {
    ...parseServers(text),
    store: openStore(platform, component),
    network: platform,
    context,
    digest: text === '' ? '' : await digestOf(text),
  }
}

/** Whatever the servers do, it does not throw and returns before the caller's deadline. */
export async function offerOf(remotes: Remotes): Promise<DynamicOffer> {
  if (remotes.servers.length === 0) return { tools: [], ...reportOf(remotes.problems) }
  const { lists, published } = await refresh(remotes)
  const reported = remotes.servers.flatMap(({ name }) => {
    const { problems = [], failure, listedAt = 0 } = lists.get(name) ?? {}
    const since = listedAt > 0 ? `; its list of ${new Date(listedAt).toISOString()} is shown` : ''
    const all = [
      ...(failure === undefined ? [] : [`${failure}${since}`]),
      ...problems,
      ...(published.problems.get(name) ?? []),
    ]
    // The gateway limits the problems shown per component, and one server must not use them all.
    const more = all.length - MOST_PROBLEMS
    const shown = more > 0 ? [...all.slice(0, MOST_PROBLEMS), `${more} more of the kind`] : all
    return shown.map((problem) => `server "${name}": ${problem}`)
  })
  return { tools: published.tools, ...reportOf([...remotes.problems, ...reported]) }
}

/** Finds the server and tool of a published name; it requests the lists only if the stored index lacks the name. */
export async function targetOf(
  remotes: Remotes,
  name: string,
): Promise<{ server: RemoteServer; target: Target } | undefined> {
  const known = await remotes.store.index()
  const usable = known?.digest === remotes.digest ? known.targets : undefined
  const targets = usable && Object.hasOwn(usable, name) ? usable : await freshTargets(remotes)
  const target = Object.hasOwn(targets, name) ? targets[name] : undefined
  const server = remotes.servers.find((each) => each.name === target?.server)
  return target && server && { server, target }
}

async function freshTargets(remotes: Remotes): Promise<Index['targets']> {
  return (await refresh(remotes)).published.targets
}

async function refresh(
  remotes: Remotes,
): Promise<{ lists: Map<string, KeptList>; published: Published }> {
  const { servers, store, context, digest } = remotes
  const now = context.platform.now()
  const lists = new Map<string, KeptList>()
  await Promise.all(
    servers.map(async (server) => {
      lists.set(server.name, await currentList(remotes, server, now))
    }),
  )
  for (const [name, share] of sharesOf(lists, OFFER_LIMIT)) {
    const list = lists.get(name)
    if (list) lists.set(name, cutTo(list, share))
  }
  const published = publish(servers, ({ name }) => {
    const list = lists.get(name)
    return list && list.listedAt > 0 ? list.tools : undefined
  })
  const index = { digest, targets: published.targets }
  const before = await store.index()
  if (JSON.stringify(before) !== JSON.stringify(index)) await store.keepIndex(index)
  return { lists, published }
}

/** The list with as many of its tools as fit its share, if they are too many. */
function cutTo(list: KeptList, share: number): KeptList {
  if (list.bytes <= share) return list
  const tools = firstTools(list.tools, share)
  const left = list.tools.length - tools.length
  const problem = `${left} of its tools are left out: all servers together have more than ${OFFER_LIMIT} bytes`
  return { ...list, tools, problems: [problem, ...list.problems] }
}

/**
 * A server that needs longer than this request has is asked on after the answer, up to its own timeout. Until it has
 * answered, what was last known of it is listed.
 */
async function currentList(remotes: Remotes, server: RemoteServer, now: number): Promise<KeptList> {
  const { store, context } = remotes
  const { platform, deadline } = context
  const digest = await digestOf([server.url, server.headers, server.protocol])
  const stored = await store.list(server.name)
  const kept = stored?.digest === digest ? stored : undefined
  if (kept && now < kept.until && now >= kept.listedAt) return kept
  const { tools = [], bytes = 0, problems = [], listedAt = 0 } = kept ?? {}
  const last = { digest, tools, bytes, problems, listedAt }
  const before: { written?: Promise<void> } = {}
  const work = requestList(remotes, server, last).then(async (next) => {
    await before.written
    await store.keepList(server.name, next)
    return next
  })
  const waitMs = Math.max(1, deadline - MARGIN_MS)
  const next = await Promise.race([work, pause(waitMs)])
  if (next) return next
  platform.waitUntil(work)
  const until = now + Math.max(RETRY_MS, server.timeoutMs)
  const failure = `gave no answer within ${waitMs} ms, and is still asked`
  const pending = { ...last, until, failure }
  before.written = store.keepList(server.name, pending)
  await before.written
  return pending
}

/** Does not throw. */
async function requestList(
  remotes: Remotes,
  server: RemoteServer,
  last: Omit<KeptList, 'until'>,
): Promise<KeptList> {
  const { platform } = remotes.context
  const end = platform.now() + server.timeoutMs
  const left: Left = () => Math.max(1, end - platform.now())
  try {
    const { tools, cut, ttlMs = server.ttlMs } = await ask(remotes, server, left)
    const usable = usableTools(tools, OFFER_LIMIT)
    if (cut) {
      usable.problems.push(
        `its list has more than ${MOST_TOOLS} tools or ${PAGE_LIMIT} bytes, or goes in circles`,
      )
    }
    const ttl = Math.min(Math.max(ttlMs, SHORTEST_TTL_MS), LONGEST_TTL_MS)
    const listedAt = platform.now()
    return { digest: last.digest, ...usable, listedAt, until: listedAt + ttl }
  } catch (error) {
    return { ...last, until: platform.now() + RETRY_MS, failure: failureOf(server, error) }
  }
}

async function ask({ store, network, digest, context }: Remotes, server: RemoteServer, left: Left) {
  const limits = { left, limit: PAGE_LIMIT, most: MOST_TOOLS }
  const place = { server: server.name, digest, owner: SHARED }
  const known = await store.connection(place)
  if (known) {
    try {
      return await listTools(network, server, known, limits)
    } catch (error) {
      // The server needs a new session or another revision, which `connect` negotiates.
      if (!isOver(error, known) && !doubtOf(error, known, context.platform.now())) throw error
    }
  }
  const madeAt = context.platform.now()
  const connection = { ...(await connect(network, server, left)), madeAt }
  await store.keepConnection(place, connection)
  return listTools(network, server, connection, limits)
}

function failureOf({ name }: RemoteServer, error: unknown): string {
  if (error instanceof RemoteError) {
    return error.kind === 'unreachable' && error.status === undefined
      ? `${error.message}; is its host in allowed_outbound_hosts?`
      : error.message
  }
  console.error(`the list of server "${name}" failed:`, error)
  return 'gave a list that could not be read'
}

function reportOf(problems: string[]): Pick<DynamicOffer, 'problems'> {
  return problems.length > 0 ? { problems } : {}
}
