/** Requests what a server offers. */
import type { Remotes } from './catalog.ts'
import { AuthenticationError } from 'ftl-client/server-side'
import { withToken } from './consent/authorized.ts'
import { hasCredentials } from './credentials.ts'
import { forgetOwnToken, ownTokenFor } from './exchange/exchanged-tokens.ts'
import { isExchangeServer } from './exchange/settings.ts'
import type { RemoteServer } from './servers.ts'
import { type SessionOwner, SHARED } from './session-owner.ts'
import type { KeptList, OtherEntries } from './store.ts'
import { OTHER_KINDS, usableEntries } from './usable-entries.ts'
import { usableSkills, type UsableSkills } from './usable-skills.ts'
import { usableTools } from './usable-tools.ts'
import { connect, doubtOf, isOver, type Left } from './wire/connect.ts'
import { listPages, type Pages } from './wire/pages.ts'
import { RemoteError } from './wire/remote-error.ts'
import { type Connection, MODERN } from './wire/request.ts'

/** Milliseconds before a list is requested again from a server that failed. */
export const RETRY_MS = 15_000
/** Bytes of all entries together: the gateway accepts a description of at most 9 MiB. */
export const OFFER_LIMIT = 8 * 1024 * 1024
/** Milliseconds before a server without sessions is asked again what it has: another version of it may have taken its place. */
const LONGEST_CONNECTION_MS = 600_000
const SHORTEST_TTL_MS = 1_000
const LONGEST_TTL_MS = 3_600_000
const MOST_TOOLS = 5_000
/** Prompts, resources or skills. */
const MOST_OTHERS = 1_000
/** An address that is asked for or linked to is compared with each, however long it is. */
const MOST_TEMPLATES = 200
const MOST: Record<keyof OtherEntries, number> = {
  prompts: MOST_OTHERS,
  resources: MOST_OTHERS,
  resourceTemplates: MOST_TEMPLATES,
}
/** Bytes of one page: a server that sends without end keeps the component busy until then. */
const PAGE_LIMIT = 5 * 1024 * 1024
/** Bytes of all pages of a list. */
const LIST_LIMIT = OFFER_LIMIT

type Last = Omit<KeptList, 'until'>

/**
 * The lists as they are now, or the last ones with the failure. Does not throw.
 *
 * @param owner whose session is used.
 */
export async function requestLists(
  remotes: Remotes,
  server: RemoteServer,
  last: Last,
  owner: SessionOwner = SHARED,
): Promise<KeptList> {
  const { platform } = remotes.context
  const end = platform.now() + server.timeoutMs
  const left: Left = () => Math.max(1, end - platform.now())
  try {
    const { tools, others, skills, features, instructions } = await ask(
      remotes,
      await forLists(remotes, server, left),
      left,
      owner,
    )
    const usable = usableTools(tools.entries, OFFER_LIMIT, features)
    if (tools.cut > 0) {
      usable.problems.push(
        `its list has more than ${MOST_TOOLS} tools or ${LIST_LIMIT} bytes, or goes in circles`,
      )
    }
    const besides = othersIn(others, last)
    const ofSkills = skillsIn(skills, last)
    const ttlMs = tools.ttlMs ?? server.ttlMs
    const listedAt = platform.now()
    const leftOut = usable.leftOut + besides.leftOut + ofSkills.leftOut + tools.cut
    return {
      digest: last.digest,
      tools: usable.tools,
      bytes: usable.bytes + besides.bytes + ofSkills.bytes,
      problems: [...usable.problems, ...besides.problems, ...ofSkills.problems],
      ...(besides.others && { others: besides.others }),
      ...(ofSkills.skills.length > 0 && { skills: ofSkills.skills }),
      ...(features && { features }),
      ...(instructions !== undefined && { instructions }),
      ...(leftOut > 0 && { leftOut }),
      listedAt,
      until: listedAt + Math.min(Math.max(ttlMs, SHORTEST_TTL_MS), LONGEST_TTL_MS),
    }
  } catch (error) {
    if (remotes.vault && isExchangeServer(server)) await forgetOwnToken(remotes.vault, server)
    return { ...last, until: platform.now() + RETRY_MS, failure: failureOf(server, error) }
  }
}

/**
 * With the client's own token, where the tokens of callers are exchanged and the operator has given none: lists are those of
 * all users. @throws {RemoteError}
 */
async function forLists(
  { vault }: Remotes,
  server: RemoteServer,
  left: Left,
): Promise<RemoteServer> {
  if (!vault || !isExchangeServer(server) || hasCredentials(server)) return server
  try {
    return withToken(server, await ownTokenFor(vault, server, left())).server
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error
    throw new RemoteError('refused', `cannot be listed without headers: ${error.message}`, {
      status: 401,
    })
  }
}

interface Lists {
  tools: Pages
  others: OtherLists
  skills: Pages | RemoteError | undefined
  /** Capabilities; those whose lists it has, if it has not said. */
  features?: string[]
  instructions?: string
}

/** A failure costs its list, not the others. */
type OtherLists = Record<keyof OtherEntries, Pages | RemoteError | undefined>

async function ask(
  remotes: Remotes,
  server: RemoteServer,
  left: Left,
  owner: SessionOwner,
): Promise<Lists> {
  const { store, network, digest, context } = remotes
  const place = { server: server.name, digest, owner }
  const known = await store.connection(place)
  if (known) {
    try {
      return await listsOver(remotes, server, await current(known), left)
    } catch (error) {
      // The server needs a new session or another revision, which `connect` negotiates.
      if (!isOver(error, known) && !doubtOf(error, known, context.platform.now())) throw error
    }
  }
  return listsOver(remotes, server, await connected(), left)

  async function connected(before?: Connection): Promise<Connection> {
    const madeAt = context.platform.now()
    const next = await connect(network, server, left)
    // One discovery that fails does not make it an older server.
    const isOlder = before?.revision === MODERN && next.revision !== MODERN
    const connection = { ...(isOlder ? before : next), madeAt }
    await store.keepConnection(place, connection)
    return connection
  }

  async function current(connection: Connection): Promise<Connection> {
    const { session, madeAt = 0 } = connection
    // A session may have a state, and ends with the server that gave it.
    const isOld = session === undefined && context.platform.now() - madeAt > LONGEST_CONNECTION_MS
    return isOld ? connected(connection) : connection
  }
}

/** All lists at once: a slow server needs no longer for four of them than for one. */
async function listsOver(
  { network }: Remotes,
  server: RemoteServer,
  connection: Connection,
  left: Left,
): Promise<Lists> {
  const { features, instructions } = connection
  const list = (method: Parameters<typeof listPages>[3], most: number) =>
    listPages(network, server, connection, method, {
      left,
      limit: PAGE_LIMIT,
      total: LIST_LIMIT,
      most,
    })
  const other = async (
    feature: string,
    method: Parameters<typeof listPages>[3],
    most = MOST_OTHERS,
  ) => {
    if (features && !features.includes(feature)) return undefined
    try {
      return await list(method, most)
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error
      // A server that has not said what it has refuses what it has not.
      return features && error.code !== METHOD_NOT_FOUND ? error : undefined
    }
  }
  const tools = async () => {
    try {
      return await list('tools/list', MOST_TOOLS)
    } catch (error) {
      const hasNone = features && !features.includes('tools')
      if (hasNone && error instanceof RemoteError && error.code === METHOD_NOT_FOUND) {
        return { entries: [], cut: 0 }
      }
      throw error
    }
  }
  const [prompts, resources, resourceTemplates, skills, ofTools] = await Promise.all([
    other('prompts', 'prompts/list'),
    other('resources', 'resources/list'),
    other('resources', 'resources/templates/list', MOST_TEMPLATES),
    // Clients ask for skills only if a server has said that it has some.
    features ? other('skills', 'skills/list') : undefined,
    tools(),
  ])
  const others = { prompts, resources, resourceTemplates }
  return {
    tools: ofTools,
    others,
    skills,
    ...(features ? { features } : guessed(others)),
    ...(instructions !== undefined && { instructions }),
  }
}

const METHOD_NOT_FOUND = -32601

function guessed({ prompts, resources }: OtherLists): Pick<Lists, 'features'> {
  const features = [...(prompts ? ['prompts'] : []), ...(resources ? ['resources'] : [])]
  return features.length > 0 ? { features } : {}
}

function othersIn(lists: OtherLists, last: Last) {
  const others: OtherEntries = { prompts: [], resources: [], resourceTemplates: [] }
  const problems: string[] = []
  let bytes = 0
  let leftOut = 0
  const use = <K extends keyof OtherEntries>(kind: K): void => {
    const list = lists[kind]
    if (!list) return
    if (list instanceof RemoteError) {
      problems.push(`its ${kind} cannot be listed: it ${list.message}`)
      others[kind] = last.others?.[kind] ?? others[kind]
      return
    }
    const usable = usableEntries(kind, list.entries, MOST[kind])
    others[kind] = usable.entries
    problems.push(...usable.problems)
    if (list.cut > 0) problems.push(`its list of ${kind} has more than ${MOST[kind]} entries`)
    bytes += usable.bytes
    leftOut += usable.leftOut + list.cut
  }
  use('prompts')
  use('resources')
  use('resourceTemplates')
  const isEmpty = OTHER_KINDS.every((kind) => others[kind].length === 0)
  return { ...(!isEmpty && { others }), bytes, problems, leftOut }
}

function skillsIn(list: Lists['skills'], { skills = [] }: Last): UsableSkills {
  const none = { skills: [], bytes: 0, problems: [], leftOut: 0 }
  if (!list) return none
  if (list instanceof RemoteError) {
    return { ...none, skills, problems: [`its skills cannot be listed: it ${list.message}`] }
  }
  const usable = usableSkills(list.entries, MOST_OTHERS)
  if (list.cut === 0) return usable
  return {
    ...usable,
    problems: [...usable.problems, `its list of skills has more than ${MOST_OTHERS} entries`],
    leftOut: usable.leftOut + list.cut,
  }
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
