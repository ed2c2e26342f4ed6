/** A component in memory whose tool starts jobs, for tests of the gateway. */
import { type Platform, setJson } from 'ftl-platform'
import type { JobRecord } from 'ftl-contract'
import { keptJobKey } from '../jobs/kept-jobs.ts'
import type { Component } from './components.ts'

export interface JobComponent {
  component: Component
  /** What the owner answers when it is asked next; the last answer stays. */
  answers: (Partial<JobRecord> | 'gone' | 'broken')[]
  /** Headers of the call that started the job. */
  started: Headers[]
}

const HOUR_MS = 3_600_000

export const JOB_ID = 'd1eed89c-d2ff-427e-b5d2-cd004a668935'

export function record(changes: Partial<JobRecord> = {}, now = Date.now()): JobRecord {
  return {
    id: JOB_ID,
    component: 'images',
    tool: 'generate_image',
    status: 'working',
    message: 'Queued.',
    seq: 1,
    createdAt: new Date(now).toISOString(),
    updatedAt: new Date(now).toISOString(),
    expiresAt: new Date(now + HOUR_MS).toISOString(),
    pollIntervalMs: 50,
    upstream: { server: 'http://secret:8188', promptId: JOB_ID, state: 'accepted' },
    ...changes,
  }
}

export const PICTURE = {
  type: 'resource_link',
  uri: `/outputs/${JOB_ID}.png`,
  name: `${JOB_ID}.png`,
  mimeType: 'image/png',
} as const

const PIXELS = new Uint8Array([1, 2, 3, 4])

export function jobComponent(...answers: JobComponent['answers']): JobComponent {
  const started: Headers[] = []
  const description = {
    name: 'generate_image',
    inputSchema: {
      type: 'object',
      properties: {
        prompt: { type: 'string' },
        style_names: { type: 'array', items: { type: 'string' } },
      },
      required: ['prompt'],
    },
  }
  return {
    answers,
    started,
    component: (request) => {
      const path = new URL(request.url).pathname
      if (path === '/' && request.method === 'GET') return Response.json(description)
      if (path === '/') {
        started.push(request.headers)
        return Response.json({ job: record() }, { status: 202 })
      }
      if (path === `/outputs/${JOB_ID}.png`) return picture(request)
      if (path !== `/jobs/${JOB_ID}`) return new Response(null, { status: 404 })
      if (request.method === 'DELETE') return Response.json(record({ status: 'cancelled', seq: 2 }))
      const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? {}
      if (answer === 'gone') return new Response(null, { status: 404 })
      if (answer === 'broken') return new Response('secret', { status: 500 })
      return Response.json(record({ seq: 2, ...answer }))
    },
  }
}

function picture(request: Request): Response {
  const common = { etag: '"v1"', 'content-type': 'image/png', 'set-cookie': 'secret=1' }
  if (request.headers.get('if-none-match') === '"v1"') {
    return new Response(null, { status: 304, headers: common })
  }
  if (request.headers.get('range') === 'bytes=1-2') {
    const headers = { ...common, 'content-range': 'bytes 1-2/4' }
    return new Response(PIXELS.subarray(1, 3), { status: 206, headers })
  }
  return new Response(request.method === 'HEAD' ? null : PIXELS, { headers: common })
}

/** Writes a job down as the gateway does. */
export async function store(platform: Platform, job: JobRecord): Promise<void> {
  await setJson(await platform.openKeyValue('default'), keptJobKey(job.id), job)
}
