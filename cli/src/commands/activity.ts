import { Command, InvalidArgumentError, Option } from 'commander'
import type { ActivityAnswer, ActivitySource } from '../activity/read-activity.ts'
import type { ShownRequest } from '../activity/activity-types.ts'
import { onSignal } from '../serve/signals.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { note } from '../terminal/terminal.ts'
import { line } from '../terminal/ui.ts'
import { visible, visibleJson } from '../terminal/visible-text.ts'
import { addressProblem } from './server-address.ts'
import { tokenHeader, tokenOption } from './token-option.ts'

const EXAMPLES = `
Examples:
  ftl activity                             the last requests of the application of this folder
  ftl activity -f                          the same, and then each request as it ends
  ftl activity --status error --slow 500   that did not succeed, and took at least half a second
  ftl activity 0b9f3c52-8d5e-4b8f-9d0a     one request, with its trace and what was printed for it
  ftl activity --components                the components and their numbers
  ftl activity -f --json | jq .outcome

A request has a trace if it began while the activity was read: while "ftl activity -f" or the page's Activity view is open,
for a minute after "ftl activity", and always under "ftl dev".`

/** Exit code of a gateway that does not answer, as of `ftl call`. */
const UNREACHABLE = 4

interface ActivityFlags {
  url?: string
  token?: string
  follow?: boolean
  components?: boolean
  component?: string
  tool?: string
  principal?: string
  status?: string
  slow?: number
  limit: number
  json?: boolean
}

/** `ftl activity`: what a running gateway does, from `GET /activity`. */
export function activityCommand(): Command {
  return new Command('activity')
    .description('Show the requests and the components of a running application')
    .argument('[id]', 'one request, by the x-request-id of its response')
    .option('--url <url>', 'address of the gateway (the application of this folder)')
    .addOption(tokenOption())
    .option('-f, --follow', 'go on with each request as it ends, until Ctrl-C')
    .option(
      '--components',
      'show the components: state, calls, errors, p50 and p95, instances, memory and last failure',
    )
    .option('--component <id>', 'only requests that this component worked for')
    .option('--tool <name>', 'only requests of this tool, prompt or resource')
    .option('--principal <name>', 'only requests of this caller')
    .option(
      '--status <status>',
      'only this outcome (`error` for all that did not succeed), HTTP status or class such as `5xx`',
    )
    .addOption(
      new Option('--slow <ms>', 'only requests that took at least so many milliseconds').argParser(
        (text) => whole(text, 0, 1e9),
      ),
    )
    .addOption(
      new Option('-n, --limit <number>', 'how many requests: 0 to 1000')
        .default(20)
        .argParser((text) => whole(text, 0, 1000)),
    )
    .option('--json', 'print JSON, a request a line')
    .addHelpText('after', EXAMPLES)
    .action(async (id: string | undefined, flags: ActivityFlags) => {
      const { UnreachableError } = await import('../activity/read-activity.ts')
      try {
        await activity(id, flags)
      } catch (error) {
        if (!(error instanceof UnreachableError)) throw error
        note(`ftl: ${error.message}`)
        process.exitCode = UNREACHABLE
      }
    })
}

async function activity(id: string | undefined, flags: ActivityFlags): Promise<void> {
  const source = await sourceOf(flags)
  if (id !== undefined || flags.components === true) {
    if (flags.follow === true) {
      throw new CommandFailure('--follow shows requests: leave out the id and --components')
    }
    return id === undefined ? showComponents(source, flags) : showOne(source, id, flags)
  }
  const query = queryOf(flags)
  const answer = await recorded(source, query)
  const show = await requestPrinter(flags)
  for (const request of answer.requests) show(request)
  if (flags.follow === true) {
    if (answer.next !== undefined) query.set('since', answer.next)
    return follow(source, query, show)
  }
  if (answer.requests.length === 0 && flags.json !== true) {
    note('No request matches. With -f, the command waits for the next ones.')
  }
}

/** @throws {CommandFailure} also on a host that records no requests, such as plain Spin. */
async function recorded(source: ActivitySource, query: URLSearchParams): Promise<ActivityAnswer> {
  const { readActivity } = await import('../activity/read-activity.ts')
  const answer = await readActivity(source, query)
  if (answer.host === 'ftl') return answer
  throw new CommandFailure(visible(answer.message ?? 'this host records no requests'))
}

/** Prints each request once, when it has ended. */
async function follow(
  source: ActivitySource,
  query: URLSearchParams,
  show: (request: ShownRequest) => void,
): Promise<void> {
  const stop = new AbortController()
  onSignal(() => stop.abort(), ['SIGINT', 'SIGTERM'])
  const { followActivity } = await import('../activity/read-activity.ts')
  try {
    for await (const { event, data } of followActivity(source, query, stop.signal)) {
      if (event === 'request') show(data as ShownRequest)
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error
  }
  if (!stop.signal.aborted) throw new CommandFailure('the connection to the gateway has ended')
}

/** Requests that have been printed are remembered, because the host sends them again when they change. */
const MOST_SEEN = 4000

async function requestPrinter({ json, follow }: ActivityFlags) {
  const { requestLine } = await import('../activity/request-line.ts')
  const seen = new Set<string>()
  return (request: ShownRequest) => {
    if (follow === true && request.outcome === 'running') return
    const key = `${request.id} ${request.time}`
    if (seen.has(key)) return
    seen.add(key)
    for (const oldest of seen) {
      if (seen.size <= MOST_SEEN) break
      seen.delete(oldest)
    }
    line(json === true ? visibleJson(JSON.stringify(request)) : requestLine(request))
  }
}

async function showOne(source: ActivitySource, id: string, { json }: ActivityFlags): Promise<void> {
  const { waterfall } = await import('../activity/waterfall.ts')
  const { requests } = await recorded(source, new URLSearchParams({ request: id }))
  if (requests.length === 0) {
    throw new CommandFailure(
      `the host does not have the request ${visible(id)}: it keeps the last 1000. "ftl activity" lists them.`,
    )
  }
  for (const request of requests) {
    if (json === true) line(visibleJson(JSON.stringify(request)))
    else for (const text of waterfall(request)) line(text)
  }
}

async function showComponents(source: ActivitySource, { json }: ActivityFlags): Promise<void> {
  const { readActivity } = await import('../activity/read-activity.ts')
  const { componentTable } = await import('../activity/component-table.ts')
  const { components } = await readActivity(source, new URLSearchParams({ limit: '0' }))
  if (json === true) return line(visibleJson(JSON.stringify(components)))
  for (const text of componentTable(components)) line(text)
}

async function sourceOf({ url, token }: ActivityFlags): Promise<ActivitySource> {
  const problem = url === undefined ? undefined : addressProblem(url)
  if (problem !== undefined) throw new CommandFailure(visible(problem))
  const { servedHere } = await import('../running/find.ts')
  const remedy = 'Check the address, and whether the gateway is running.'
  return { url: url ?? (await servedHere()), headers: tokenHeader(token), remedy }
}

function queryOf(flags: ActivityFlags): URLSearchParams {
  const query = new URLSearchParams({ limit: String(flags.limit) })
  for (const name of ['component', 'tool', 'principal', 'status', 'slow'] as const) {
    const value = flags[name]
    if (value !== undefined) query.set(name, String(value))
  }
  return query
}

function whole(text: string, least: number, most: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN
  if (value >= least && value <= most) return value
  throw new InvalidArgumentError(`give a whole number from ${least} to ${most}`)
}
