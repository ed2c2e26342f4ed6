/** The gateway over tools in memory, on a port: what frameworks are asked to load and call. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JobRecord } from 'ftl-contract'
import { createWorld, type World } from '../../gateway/src/testing/components.ts'
import { answer, type Call, CALLS, JOB_TOOL, TOOLS } from './tools.ts'

/** Longer than any framework here waits without being told. */
const WORK_MS = 100_000

export interface Application {
  url: string
  /** For one framework. */
  calls(): readonly Call[]
  /** How many jobs were started since it was last asked. */
  jobs(): Promise<number>
  close(): Promise<void>
}

export async function startApplication(): Promise<Application> {
  const jobs = new Map<string, JobRecord>()
  let counted = 0
  const world = createWorld({
    variables: { catalog_ttl_ms: '60000', tools_mode: 'off', list_settings: 'tools_mode=off' },
    components: { tools: tool, jobs: (request) => job(request, jobs) },
  })
  const server = createServer((incoming, outgoing) => {
    void serve(world, incoming).then(
      async ({ status, headers, body }) => {
        outgoing.writeHead(status, headers)
        for await (const chunk of body ?? []) outgoing.write(chunk)
        outgoing.end()
      },
      () => outgoing.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls: () => CALLS,
    jobs() {
      const started = jobs.size - counted
      counted = jobs.size
      return Promise.resolve(started)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function serve(world: World, incoming: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  const { method = 'GET', url = '/' } = incoming
  const request = new Request(`http://${incoming.headers.host}${url}`, {
    method,
    headers,
    ...(method !== 'GET' && method !== 'HEAD' && { body: Buffer.concat(chunks) }),
  })
  const response = await world.send(request)
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: response.body,
  }
}

async function tool(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (request.method === 'GET') return Response.json(TOOLS)
  return Response.json(answer(pathname.slice(1), (await request.json()) as object))
}

function job(request: Request, jobs: Map<string, JobRecord>): Response {
  const { pathname } = new URL(request.url)
  if (request.method === 'GET' && pathname === '/') {
    const tool = { name: JOB_TOOL, description: 'Works for long', inputSchema: { type: 'object' } }
    return Response.json({ tools: [tool], jobs: true })
  }
  const [, id] = /^\/jobs\/(.+)$/.exec(pathname) ?? []
  if (id !== undefined) return Response.json(stateOf(jobs.get(id)))
  const now = Date.now()
  const at = new Date(now).toISOString()
  const record: JobRecord = {
    ...{ id: crypto.randomUUID(), component: 'jobs', tool: JOB_TOOL, status: 'working', seq: 1 },
    ...{ message: 'Working.', createdAt: at, updatedAt: at, pollIntervalMs: 500 },
    expiresAt: new Date(now + 3_600_000).toISOString(),
  }
  jobs.set(record.id, record)
  return Response.json({ job: record }, { status: 202 })
}

function stateOf(job: JobRecord | undefined): object {
  if (!job || Date.now() - Date.parse(job.createdAt) < WORK_MS) return job ?? {}
  const result = { content: [{ type: 'text' as const, text: 'The work is done.' }] }
  return { ...job, status: 'completed', seq: 2, result }
}
