/** `GET` and `HEAD /outputs/{file}`: the files of finished jobs, streamed from the component that owns the job. */
import { OUTPUTS_PATH, parseOutputName, PRINCIPAL_HEADER } from 'ftl-contract'
import { discard, failure, withDeadline } from 'ftl-http'
import { fetchComponent } from '../../component-fetch.ts'
import { logError } from '../../log.ts'
import type { Gateway, TransportAdapter } from '../../gateway.ts'
import type { Scope } from '../../scope.ts'

/** Milliseconds to the first byte; the body may take longer. */
const OUTPUT_TIMEOUT_MS = 30_000

/** What lets a client fetch a part of a file, or only a changed one. */
const REQUEST_HEADERS = ['range', 'if-range', 'if-none-match', 'if-modified-since']

const RESPONSE_HEADERS = [
  ...['content-type', 'content-length', 'content-range', 'content-disposition'],
  ...['accept-ranges', 'etag', 'last-modified', 'cache-control', 'expires'],
]

/** 200 and 206 have the file; 304, 410 and 416 are about it. Everything else is the component's own affair. */
const PASSED_STATUSES = new Set([200, 206, 304, 410, 416])

// A file is made from a stranger's prompt: as a page it must not run as a part of this origin.
const SAFETY = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}

export const outputsAdapter: TransportAdapter = {
  name: 'outputs',
  routes: (gateway) => [
    {
      path: `${OUTPUTS_PATH}:file`,
      methods: { GET: ({ scope, request, param }) => serve(gateway, scope, request, param) },
    },
  ],
}

async function serve(
  { jobs }: Gateway,
  scope: Scope,
  request: Request,
  file: string,
): Promise<Response> {
  const jobId = parseOutputName(file)?.jobId
  const job = jobId === undefined ? undefined : await jobs.peek(scope, jobId)
  if (!job) return notFound()
  let answer: Response
  try {
    const { method } = request
    const headers = {
      ...pick(request.headers, REQUEST_HEADERS),
      ...(job.owner !== undefined && { [PRINCIPAL_HEADER]: job.owner }),
    }
    answer = await withDeadline(OUTPUT_TIMEOUT_MS, (signal) => {
      const init = { method, headers, timeoutMs: OUTPUT_TIMEOUT_MS, signal }
      return fetchComponent(scope, job.component, `${OUTPUTS_PATH}${file}`, init)
    })
  } catch (error) {
    logError(scope, `output of ${job.component}`, error)
    return unavailable('component')
  }
  if (!PASSED_STATUSES.has(answer.status)) {
    discard(answer)
    if (answer.status === 404) return notFound()
    return unavailable('output')
  }
  const headers = { ...pick(answer.headers, RESPONSE_HEADERS), ...SAFETY }
  return new Response(answer.body, { status: answer.status, headers })
}

function pick(headers: Headers, names: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const name of names) {
    const value = headers.get(name)
    if (value !== null) picked[name] = value
  }
  return picked
}

function unavailable(what: string): Response {
  return failure(502, `${what}_unavailable`, 'The file cannot be fetched now.')
}

function notFound(): Response {
  return failure(404, 'output_not_found', 'There is no such file, or it has expired.')
}
