/** Refuses a call of a caller who has used up the calls of a minute or the jobs of a day. */
import { waitOf } from '../store-failure.ts'
import type { ClientCall } from '../calls/call-tool.ts'
import type { ClientRequest } from '../calls/client-request.ts'
import { catalogFor } from '../catalog/catalog.ts'
import { RESERVED_TOOLS } from '../catalog/names.ts'
import type { Outcome, Settled } from '../invoke/outcome.ts'
import { logError } from '../log.ts'
import type { Scope } from '../scope.ts'
import { type Usage, usageOf } from './usage.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** @throws {ConfigurationError} */
export function isLimited({ settings }: Scope): boolean {
  const { callsPerMinute, jobsPerDay } = settings.callSettings
  return callsPerMinute > 0 || jobsPerDay > 0
}

export async function limitCall(
  client: ClientRequest,
  call: ClientCall,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  const { scope } = client
  const { callsPerMinute: calls, jobsPerDay: jobs } = scope.settings.callSettings
  // Reading a job is not a call: a client that follows one would use up its calls.
  if (calls > 0 && !RESERVED_TOOLS.has(call.name)) {
    const usage = await usageOf(scope, 'calls', MINUTE_MS)
    if (!(await usage.add(calls))) return tooMany('calls per minute', calls, usage)
  }
  if (jobs <= 0) return run()
  const usage = await usageOf(scope, 'started', DAY_MS)
  if ((await usage.count()) >= jobs && (await mayStartJob(client, call))) {
    return tooMany('jobs per day', jobs, usage)
  }
  const outcome = await run()
  if (outcome.kind === 'job') {
    await usage.add().catch((error: unknown) => logError(scope, 'a job was not counted', error))
  }
  return outcome
}

/** Whether the component of the tool starts jobs, and the tool is not one that only reads. */
async function mayStartJob(
  { gateway, scope }: ClientRequest,
  { name }: ClientCall,
): Promise<boolean> {
  const tool = (await catalogFor(gateway.tools, scope, name)).tool(name)
  // A tool that is not known yet may be one that starts jobs.
  if (!tool) return !RESERVED_TOOLS.has(name)
  return tool.startsJobs === true && tool.description.annotations?.readOnlyHint !== true
}

function tooMany(what: string, limit: number, { leftMs }: Usage): Settled {
  const seconds = Math.ceil(leftMs / 1000)
  return {
    kind: 'over-limit',
    message: `You have used up your ${limit} ${what}. Retry in ${waitOf(seconds)}.`,
    retryAfterSeconds: seconds,
  }
}
