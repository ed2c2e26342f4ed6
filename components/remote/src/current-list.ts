/** The list of one server: what is stored, if it is not too old, else what the server returns. */
import { pause } from 'ftl-contract'
import type { Remotes } from './catalog.ts'
import { isConsentServer } from './consent/consents.ts'
import { requestLists, RETRY_MS } from './request-lists.ts'
import type { RemoteServer } from './servers.ts'
import { hasCredentials } from './credentials.ts'
import { ownerOf } from './session-owner.ts'
import { digestOf, type KeptList } from './store.ts'

/** Reserved for returning the answer to the caller. */
const MARGIN_MS = 400
const UNSEEN = { problems: ['no user has signed in yet, so its tools are not known'] }

/** What is stored, if it is of the same address and headers; `last` is what remains if the server fails. */
async function lastList({ store }: Remotes, server: RemoteServer) {
  const digest = await digestOf([server.url, server.headers, server.protocol])
  const stored = await store.list(server.name)
  const kept = stored?.digest === digest ? stored : undefined
  const nothing = { digest, tools: [], bytes: 0, problems: [], listedAt: 0 }
  const { until: _, failure: __, ...last } = kept ?? { ...nothing, until: 0 }
  return { kept, last }
}

function isCurrent({ until, listedAt }: KeptList, now: number): boolean {
  return now < until && now >= listedAt
}

/**
 * Requests the lists of a server with the token of a user, if they are too old: without a token of the operator, the
 * last lists that a user has got are those of all users. Does not throw.
 *
 * @param authorized the server with the user's token in its headers.
 */
export async function learnLists(
  remotes: Remotes,
  server: RemoteServer,
  authorized: RemoteServer,
): Promise<void> {
  // Where tokens are exchanged, lists are requested with the client's own.
  if (hasCredentials(server) || !isConsentServer(server)) return
  const { kept, last } = await lastList(remotes, server)
  if (kept && isCurrent(kept, remotes.context.platform.now())) return
  const owner = await ownerOf(remotes.context)
  const list = await requestLists(remotes, authorized, last, owner)
  await remotes.store.keepList(server.name, sharedPart(list))
}

/**
 * What all users may see of the lists of one of them. Tools, prompts and templates are the server's; lists of resources
 * and of skills name what belongs to the account, such as its files. A user can read these by their address with the name of the server.
 * What it says of itself may be about the account, too, and models obey it.
 */
function sharedPart(list: KeptList): KeptList {
  const { skills: _, instructions: __, ...shared } = list
  if (!list.others) return shared
  const resources = list.others.resources.filter(({ uri }) => /^ui:/i.test(uri))
  return { ...shared, others: { ...list.others, resources } }
}

/**
 * A server that needs longer than this request has is asked on after the answer, up to its own timeout. Until it has
 * answered, what was last known of it is listed.
 */
export async function currentList(
  remotes: Remotes,
  server: RemoteServer,
  now: number,
): Promise<KeptList> {
  const { store, context } = remotes
  const { platform, deadline } = context
  const { kept, last } = await lastList(remotes, server)
  if (kept && isCurrent(kept, now)) return kept
  if (isConsentServer(server) && !hasCredentials(server))
    return kept ?? { ...last, until: now, ...UNSEEN }
  const before: { written?: Promise<void> } = {}
  const work = requestLists(remotes, server, last).then(async (next) => {
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
