/**
 * The job of a call that its client has given up and sends again.
 *
 * A client that ends a call after a few seconds learns no id of its job, and a model that reads "try again" would start the same
 * work once more. So for such clients an equal call of the same caller gets the job whose end was not read yet. Once it
 * was read, an equal call starts another: a second picture of the same words may be wanted.
 */
import { isFinal } from 'ftl-contract'
import { remoteSign, sha256 } from 'ftl-http'
import type { CatalogTool } from '../catalog/catalog.ts'
import { traitsOf } from '../client-traits.ts'
import { loadJob } from '../jobs/kept-jobs.ts'
import { logError } from '../log.ts'
import { changeEntry, loadEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'
import { isRepeated } from './call-context.ts'
import type { ToolCall } from './invoker.ts'
import type { Outcome } from './outcome.ts'

/** Maximum calls of one list; a full one forgets its oldest. */
const LIST_LIMIT = 200

type Known = [hash: string, job: string, expiresAt: number]

/** @returns `undefined` for a call that is to be sent as it is. */
export function inSameJob(
  scope: Scope,
  { name, component, startsJobs }: CatalogTool,
  { arguments: args, context }: ToolCall,
  send: () => Promise<Outcome>,
): Promise<Outcome> | undefined {
  const { sender, idempotencyKey } = context
  if (!startsJobs || !sender || (idempotencyKey ?? undefined) !== undefined) return undefined
  if (isRepeated(context) || !traitsOf(sender.request, sender.meta).repeats) return undefined
  // Callers without a name are one caller here, and the id is all that protects the job of one from the others.
  if (scope.principal === undefined && remoteSign(sender.request) !== undefined) return undefined
  return sameJob(scope, JSON.stringify([component, name, scope.principal, args]), send)
}

async function sameJob(scope: Scope, call: string, send: () => Promise<Outcome>): Promise<Outcome> {
  const hash = await sha256(call)
  const list = `gateway:same-jobs:${hash.slice(0, 2)}`
  const now = scope.platform.now()
  const known = knownIn(await loadEntry(scope, list)).find(([other]) => other === hash)
  const job = known && (await loadJob(scope, known[1]))
  // The record has an end as soon as a client has read it.
  if (job && !isFinal(job)) return { kind: 'job', job }
  const outcome = await send()
  if (outcome.kind !== 'job') return outcome
  const { id, expiresAt } = outcome.job
  await changeEntry(scope, list, (value) => {
    const others = knownIn(value).filter(([other, , at]) => other !== hash && at > now)
    return JSON.stringify([...others.slice(1 - LIST_LIMIT), [hash, id, Date.parse(expiresAt)]])
  }).catch((error: unknown) => logError(scope, 'call not written', error))
  return outcome
}

function knownIn(value: unknown): Known[] {
  return Array.isArray(value) ? (value as Known[]) : []
}
