/** What all servers offer: their lists are stored, and requested again when they are too old. */
import type { DynamicOffer, ToolContext } from 'ftl-sdk'
import {
  type Consents,
  isConsentServer,
  openConsents,
  openVault,
  type Vault,
} from './consent/consents.ts'
import { SIGN_IN_TOOLS, signInTools } from './consent/sign-in-tools.ts'
import { currentList } from './current-list.ts'
import { isExchangeServer } from './exchange/settings.ts'
import { instructionsOf } from './instructions.ts'
import { readOnce } from './last-text.ts'
import { publish, type Published } from './names.ts'
import { type PublishedOthers, publishOthers, withPages } from './publish-others.ts'
import { reportRenamed } from './renamed-tools.ts'
import { OFFER_LIMIT } from './request-lists.ts'
import { parseServers, type RemoteServer, type RemoteServers } from './servers.ts'
import {
  digestOf,
  type Index,
  type KeptList,
  openStore,
  type Others,
  type Store,
  type Target,
} from './store.ts'
import { sharesOf } from './shares.ts'
import { firstTools } from './usable-tools.ts'
import type { Network } from './wire/request.ts'

/** Reported problems of one server. */
const MOST_PROBLEMS = 8

/** The state of one request. */
export interface Remotes {
  servers: RemoteServer[]
  problems: string[]
  store: Store
  network: Network
  context: ToolContext
  /** Digest of the variable `remote_servers`. */
  digest: string
  /** Only if there is a server where each user signs in. */
  consents?: Consents
  /** Only if there is a server for which tokens are exchanged. */
  vault?: Vault
  /** The answers of the client were to our own questions: no server gets them. @default false */
  isAnswered?: boolean
}

/** The variable `remote_servers` as it was read last. */
const configured = readOnce((text) => ({
  parsed: parseServers(text),
  digest: text === '' ? '' : digestOf(text),
}))

export async function openRemotes(context: ToolContext): Promise<Remotes> {
  const { platform, component } = context
  const { parsed, digest } = configured(platform.variables.get('remote_servers') ?? '')
  return {
    ...withAccounts(parsed, context),
    store: openStore(platform, component),
    network: platform,
    context,
    digest: await digest,
  }
}

/** Servers that use the account of each user are left out as long as the operator has not set what this needs. */
function withAccounts(
  parsed: RemoteServers,
  context: ToolContext,
): Pick<Remotes, 'servers' | 'problems' | 'consents' | 'vault'> {
  if (parsed.servers.every(({ auth }) => auth === undefined)) return parsed
  const consents = parsed.servers.some(isConsentServer) ? openConsents(context) : undefined
  const vault = parsed.servers.some(isExchangeServer) ? openVault(context) : undefined
  const problems = [...parsed.problems]
  const servers = parsed.servers.filter((server) => {
    const opened = isConsentServer(server) ? consents : isExchangeServer(server) ? vault : undefined
    if (typeof opened !== 'string') return true
    problems.push(`remote_servers, "${server.name}": ${opened}`)
    return false
  })
  return {
    servers,
    problems,
    ...(typeof consents === 'object' && { consents }),
    ...(typeof vault === 'object' && { vault }),
  }
}

/** Whatever the servers do, it does not throw and returns before the caller's deadline. */
export async function offerOf(remotes: Remotes): Promise<DynamicOffer> {
  if (remotes.servers.length === 0) return { tools: [], ...reportOf(remotes.problems) }
  const { lists, published, besides } = await refresh(remotes)
  const reported = remotes.servers.flatMap(({ name }) => {
    const { problems = [], failure, listedAt = 0 } = lists.get(name) ?? {}
    const since = listedAt > 0 ? `; its list of ${new Date(listedAt).toISOString()} is shown` : ''
    const all = [
      ...(failure === undefined ? [] : [`${failure}${since}`]),
      ...problems,
      ...(published.problems.get(name) ?? []),
      ...(besides.problems.get(name) ?? []),
    ]
    // The gateway limits the problems shown per component, and one server must not use them all.
    const more = all.length - MOST_PROBLEMS
    const shown = more > 0 ? [...all.slice(0, MOST_PROBLEMS), `${more} more of the kind`] : all
    return shown.map((problem) => `server "${name}": ${problem}`)
  })
  const { prompts, resources, resourceTemplates, skills } = besides
  const all = [...lists.values()]
  const instructions = instructionsOf(remotes.servers, lists)
  const leftOut = all.reduce((sum, list) => sum + (list.leftOut ?? 0), 0)
  return {
    tools: [...signInTools(remotes), ...published.tools],
    ...(prompts.length > 0 && { prompts }),
    ...(resources.length > 0 && { resources }),
    ...(resourceTemplates.length > 0 && { resourceTemplates }),
    ...(skills.length > 0 && { skills }),
    ...(all.some(({ features = [] }) => features.includes('completions')) && { completions: true }),
    ...(all.some(({ features = [] }) => features.includes('logging')) && { logging: true }),
    relays: true,
    ...(instructions !== undefined && { instructions }),
    ...(leftOut > 0 && { leftOut }),
    ...reportOf([...remotes.problems, ...reported]),
  }
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

/**
 * Where published prompts and resources lead.
 *
 * @param has whether what is asked for is there: if not, the lists are requested if they are too old.
 */
export async function othersOf(
  remotes: Remotes,
  has: (others: Others) => boolean,
): Promise<Others> {
  const known = await remotes.store.others()
  if (known?.digest === remotes.digest && has(known.others)) return known.others
  return (await refresh(remotes)).besides.others
}

async function freshTargets(remotes: Remotes): Promise<Index['targets']> {
  return (await refresh(remotes)).published.targets
}

interface Refreshed {
  lists: Map<string, KeptList>
  published: Published
  besides: PublishedOthers
}

async function refresh(remotes: Remotes): Promise<Refreshed> {
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
  const besides = publishOthers(servers, lists)
  const published = publish(
    servers,
    ({ name }) => {
      const list = lists.get(name)
      return list && list.listedAt > 0 ? list.tools : undefined
    },
    ({ name }) => addressesIn(lists.get(name)),
    remotes.consents ? SIGN_IN_TOOLS : [],
  )
  reportRenamed(published)
  const { targets } = published
  published.tools = withPages(published.tools, (tool) => targets[tool]?.server, besides)
  await keepIfNew(await store.index(), { digest, targets }, (index) => store.keepIndex(index))
  const others = { digest, others: besides.others }
  await keepIfNew(await store.others(), others, (index) => store.keepOthers(index))
  return { lists, published, besides }
}

async function keepIfNew<T>(before: T | undefined, next: T, keep: (next: T) => Promise<void>) {
  if (JSON.stringify(before) !== JSON.stringify(next)) await keep(next)
}

/** What may be denied besides tools. */
function addressesIn(list: KeptList | undefined): string[] {
  const { prompts = [], resources = [], resourceTemplates = [] } = list?.others ?? {}
  return [
    ...prompts.map(({ name }) => name),
    ...resources.map(({ uri }) => uri),
    ...resourceTemplates.map(({ uriTemplate }) => uriTemplate),
  ]
}

/** The list with as many of its tools as fit its share, if they are too many. */
function cutTo(list: KeptList, share: number): KeptList {
  if (list.bytes <= share) return list
  const tools = firstTools(list.tools, share)
  const left = list.tools.length - tools.length
  const leftOut = (list.leftOut ?? 0) + left
  const problem = `${left} of its tools are left out: all servers together have more than ${OFFER_LIMIT} bytes`
  return { ...list, tools, leftOut, problems: [problem, ...list.problems] }
}

function reportOf(problems: string[]): Pick<DynamicOffer, 'problems'> {
  return problems.length > 0 ? { problems } : {}
}
