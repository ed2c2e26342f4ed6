/**
 * A component with the tools the conformance suite looks for where it tests tasks: one that answers at once, and
 * those of job-tools.ts. The component contract by hand, as in everything.ts.
 *
 * @see https://github.com/modelcontextprotocol/conformance
 */
import {
  isJobId,
  type JobRecord,
  type Offer,
  PREFER_HEADER,
  PRINCIPAL_HEADER,
  RESPOND_ASYNC,
  TASKS_HEADER,
} from 'ftl-contract'
import type { Platform } from 'ftl-platform'
import { type Call, readCall, record } from './call.ts'
import { JOB_TOOLS, type JobTool } from './job-tools.ts'
import { answerJob, cancelJob, readJob, startJob } from './jobs.ts'
import { text } from './samples.ts'

const OFFER: Offer = {
  tools: [
    {
      name: 'greet',
      description: 'Fixture greet',
      inputSchema: {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
      },
    },
    ...Object.entries(JOB_TOOLS).map(([name, { inputSchema }]) => ({
      name,
      description: `Fixture ${name}`,
      inputSchema,
    })),
  ],
  jobs: true,
}

export default {
  async fetch(request: Request, platform: Platform): Promise<Response> {
    const { pathname, hostname } = new URL(request.url)
    const [, folder, name = ''] = /^\/(jobs\/)?([^/]+)$/.exec(pathname) ?? []
    if (folder) return json(await useJob(request, platform, name))
    if (request.method === 'GET') return json(pathname === '/' ? OFFER : undefined)
    if (request.method !== 'POST') return new Response(null, { status: 405 })
    const call = await readCall(request)
    if (name === 'greet') return json(text(`Hello, ${String(call.args['name'])}!`))
    const tool = Object.hasOwn(JOB_TOOLS, name) ? JOB_TOOLS[name] : undefined
    if (!tool) return json(undefined)
    const [component = ''] = hostname.split('.')
    return callTool(tool, call, { request, platform, component, name })
  },
}

/** A request for a job is not of a tool: 404 and 405 mean the job then. */
async function useJob(
  request: Request,
  platform: Platform,
  id: string,
): Promise<JobRecord | undefined> {
  if (!isJobId(id)) return undefined
  if (request.method === 'DELETE') return cancelJob(platform, id)
  if (request.method !== 'POST') return readJob(platform, id)
  return answerJob(platform, id, record(record(await request.json())['inputResponses']))
}

interface Circumstances {
  request: Request
  platform: Platform
  component: string
  name: string
}

async function callTool(
  tool: JobTool,
  call: Call,
  { request: { headers }, platform, component, name }: Circumstances,
): Promise<Response> {
  const missing = missingCapabilities(tool, call, headers)
  if (Object.keys(missing).length > 0) {
    const message = `${name} works with clients that follow tasks and ask their user only.`
    const error = { code: 'missing_capability', requiredCapabilities: missing, message }
    return Response.json({ error }, { status: 400 })
  }
  const begun = tool.begin(call)
  if (!('takesMs' in begun)) return json(begun)
  if (headers.get(PREFER_HEADER)?.includes(RESPOND_ASYNC)) {
    const owner = headers.get(PRINCIPAL_HEADER)
    const origin = { component, tool: name, ...(owner === null ? {} : { owner }) }
    const job = await startJob(platform, origin, begun)
    return Response.json({ job }, { status: 202, headers: { location: `/jobs/${job.id}` } })
  }
  await new Promise((resolve) => setTimeout(resolve, begun.takesMs))
  const end = tool.end(begun.input ?? {}, {})
  return 'result' in end ? json(end.result) : Response.json({ error: end.error }, { status: 500 })
}

/** What the tool cannot do without and the client has not said, worded as the client would say it. */
function missingCapabilities(tool: JobTool, call: Call, headers: Headers): object {
  const { needs = [] } = tool
  return {
    ...(needs.includes('tasks') && headers.get(TASKS_HEADER) !== '1'
      ? { extensions: { 'io.modelcontextprotocol/tasks': {} } }
      : {}),
    ...(needs.includes('elicitation') && !call.capabilities['elicitation']
      ? { elicitation: {} }
      : {}),
  }
}

function json(body: unknown): Response {
  return body === undefined ? new Response(null, { status: 404 }) : Response.json(body)
}
