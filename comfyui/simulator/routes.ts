/**
 * The paths of the server's API. Each exists as `/x` and as `/api/x`, but those of jobs only as `/api/x`.
 *
 * @see https://docs.comfy.org/development/comfyui-server/comms_routes
 */
import { isObject } from 'ftl-contract'
import { type Faults, take } from './faults.ts'
import { viewFile } from './files.ts'
import { type Answer, type Call, empty, HttpFailure, INTERNAL_ERROR, json } from './http.ts'
import { JOB_ORDERS, JOB_STATUSES, listJobs, viewJob } from './jobs-view.ts'
import { NODES } from './nodes/catalog.ts'
import { type Choices, describeNode } from './nodes/definition.ts'
import { type PromptQueue, toTuple } from './queue.ts'
import type { Store } from './store.ts'
import { submitPrompt } from './submit.ts'
import { uploadImage, uploadMask } from './upload.ts'
import { systemStats, type VersionTraits } from './version.ts'

export interface Site {
  queue: PromptQueue
  store: Store
  traits: VersionTraits
  faults: Faults
  /** What lists of choices hold at the moment. */
  choices: () => Promise<Choices>
}

type Handler = (call: Call, site: Site) => Answer | Promise<Answer>

export interface Route {
  method: 'GET' | 'POST'
  /** Without `/api`; its group is `call.match`. */
  path: RegExp
  /** Only on servers that have jobs, and only as `/api/x`. */
  jobs?: true
  handle: Handler
}

export const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/system_stats$/,
    handle: (_, { traits }) => json(200, systemStats(traits)),
  },
  {
    method: 'GET',
    path: /^\/features$/,
    handle: (_, { traits, faults }) =>
      json(200, { ...traits.features, max_upload_size: faults.maxBodyBytes }),
  },
  { method: 'GET', path: /^\/embeddings$/, handle: () => json(200, []) },
  { method: 'GET', path: /^\/models$/, handle: (_, { traits }) => json(200, traits.modelFolders) },
  { method: 'GET', path: /^\/models\/([^/]+)$/, handle: listModels },
  { method: 'GET', path: /^\/object_info$/, handle: describeAll },
  { method: 'GET', path: /^\/object_info\/([^/]+)$/, handle: describeOne },
  {
    method: 'GET',
    path: /^\/prompt$/,
    handle: (_, { queue }) => json(200, { exec_info: { queue_remaining: queue.remaining } }),
  },
  {
    method: 'POST',
    path: /^\/prompt$/,
    handle: async (call, site) => submitPrompt(call, site.queue, site.traits, await site.choices()),
  },
  { method: 'GET', path: /^\/queue$/, handle: showQueue },
  { method: 'POST', path: /^\/queue$/, handle: changeQueue },
  { method: 'POST', path: /^\/interrupt$/, handle: interrupt },
  { method: 'GET', path: /^\/history$/, handle: listHistory },
  { method: 'GET', path: /^\/history\/([^/]+)$/, handle: showHistory },
  { method: 'POST', path: /^\/history$/, handle: changeHistory },
  { method: 'GET', path: /^\/jobs$/, jobs: true, handle: showJobs },
  { method: 'GET', path: /^\/jobs\/([^/]+)$/, jobs: true, handle: showJob },
  {
    method: 'POST',
    path: /^\/jobs\/([^/]+)\/cancel$/,
    jobs: true,
    handle: async ({ match }, { queue }) => json(200, { cancelled: await cancel(queue, match) }),
  },
  {
    method: 'GET',
    path: /^\/view$/,
    handle: (call, { store, traits }) => viewFile(store, traits, call),
  },
  {
    method: 'POST',
    path: /^\/upload\/image$/,
    handle: (call, { store }) => uploadImage(store, call),
  },
  {
    method: 'POST',
    path: /^\/upload\/mask$/,
    handle: (call, { store }) => uploadMask(store, call),
  },
  {
    method: 'POST',
    path: /^\/free$/,
    async handle(call) {
      await call.json()
      return empty(200)
    },
  },
  { method: 'GET', path: /^\/extensions$/, handle: () => json(200, []) },
  { method: 'GET', path: /^\/$/, handle: () => FRONT_PAGE },
]

const FRONT_PAGE: Answer = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!DOCTYPE html><title>ComfyUI simulator</title><p>A stand-in for ComfyUI, without an editor.</p>',
}

async function listModels({ match }: Call, { traits, choices }: Site): Promise<Answer> {
  if (!traits.modelFolders.includes(match)) return empty(404)
  return json(200, (await choices()).models(match))
}

async function describeAll(_: Call, { traits, choices }: Site): Promise<Answer> {
  const lists = await choices()
  const nodes = [...NODES].map(([name, node]) => [name, describeNode(node, lists, traits)])
  return json(200, Object.fromEntries(nodes.filter(([, described]) => described)))
}

async function describeOne({ match }: Call, { traits, choices }: Site): Promise<Answer> {
  const node = NODES.get(match)
  const described = node && describeNode(node, await choices(), traits)
  return json(200, described ? { [match]: described } : {})
}

function showQueue(_: Call, { queue }: Site): Answer {
  return json(200, {
    queue_running: queue.running ? [toTuple(queue.running)] : [],
    queue_pending: queue.pending.map(toTuple),
  })
}

async function changeQueue(call: Call, { queue }: Site): Promise<Answer> {
  const body = await call.json()
  if (isObject(body) && body.clear === true) await queue.clear()
  if (isObject(body) && Array.isArray(body.delete)) {
    for (const id of body.delete) await queue.remove(String(id))
  }
  return empty(200)
}

async function interrupt(call: Call, { queue }: Site): Promise<Answer> {
  const body = (await call.body()).length === 0 ? {} : await call.json().catch(() => ({}))
  queue.interrupt(isObject(body) && typeof body.prompt_id === 'string' ? body.prompt_id : undefined)
  return empty(200)
}

function listHistory({ query }: Call, { queue }: Site): Answer {
  const entries = [...queue.history]
  const offset = Number(query.get('offset') ?? -1)
  const limit = query.get('max_items')
  if (![offset, Number(limit ?? 0)].every(Number.isInteger)) throw new HttpFailure(INTERNAL_ERROR)
  if (limit === null) return json(200, Object.fromEntries(entries.slice(Math.max(0, offset))))
  const start = offset < 0 ? Math.max(0, entries.length - Number(limit)) : offset
  return json(200, Object.fromEntries(entries.slice(start, start + Number(limit))))
}

function showHistory({ match }: Call, { queue, faults }: Site): Answer {
  const known = queue.history.get(match)
  const entry = known && take(faults, 'lateOutputs') ? undefined : known
  return json(200, entry ? { [match]: entry } : {})
}

async function changeHistory(call: Call, { queue }: Site): Promise<Answer> {
  const body = await call.json()
  if (isObject(body) && body.clear === true) await queue.forget(queue.history.keys())
  if (isObject(body) && Array.isArray(body.delete)) await queue.forget(body.delete.map(String))
  return empty(200)
}

function wrongQuery(query: URLSearchParams): string | undefined {
  for (const name of ['limit', 'offset']) {
    if (!/^-?\d+$/.test(query.get(name) ?? '1')) return `${name} must be an integer`
  }
  if (Number(query.get('limit') ?? 1) <= 0) return 'limit must be a positive integer'
  const [creation, duration] = JOB_ORDERS
  if (!JOB_ORDERS.includes(query.get('sort_by') ?? 'created_at'))
    return `sort_by must be '${creation}' or '${duration}'`
  if (!['asc', 'desc'].includes(query.get('sort_order') ?? 'asc'))
    return "sort_order must be 'asc' or 'desc'"
  return undefined
}

function showJobs({ query }: Call, { queue }: Site): Answer {
  const statuses = (query.get('status') ?? '').split(',').filter(Boolean)
  const invalid = statuses.filter((status) => !(JOB_STATUSES as readonly string[]).includes(status))
  if (invalid.length > 0) {
    const known = JOB_STATUSES.join(', ')
    const error = `Invalid status value(s): ${invalid.join(', ')}. Valid values: ${known}`
    return json(400, { error })
  }
  const wrong = wrongQuery(query)
  if (wrong !== undefined) return json(400, { error: wrong })
  const workflow = query.get('workflow_id')
  const jobs = listJobs(queue, workflow)
    .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
    .sort((a, b) => b.create_time - a.create_time)
  if (query.get('sort_order') === 'asc') jobs.reverse()
  const offset = Math.max(0, Number(query.get('offset') ?? 0))
  const limit = query.has('limit') ? Number(query.get('limit')) : null
  const page = jobs.slice(offset, limit === null ? undefined : offset + limit)
  const more = offset + page.length < jobs.length
  return json(200, {
    jobs: page,
    pagination: { offset, limit, total: jobs.length, has_more: more },
  })
}

function showJob({ match }: Call, { queue, faults }: Site): Answer {
  const job = viewJob(queue, match)
  if (job?.outputs && take(faults, 'lateOutputs')) return json(200, { ...job, outputs: {} })
  return job ? json(200, job) : json(404, { error: 'Job not found' })
}

async function cancel(queue: PromptQueue, id: string): Promise<boolean> {
  return queue.interrupt(id) || (await queue.remove(id))
}
