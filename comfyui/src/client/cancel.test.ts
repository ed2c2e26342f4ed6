import { expect, it } from 'vitest'
import { createComfyClient } from './client.ts'
import type { Fetch } from './http.ts'

const ours = 'd5f7a2c4-0000-4000-8000-000000000001'

/** A server without job endpoints on which something runs. */
function server(version: string, ...looks: ('running' | 'pending' | 'gone')[]) {
  const sent: string[] = []
  const item = [1, ours, {}, {}, []]
  const other = [0, 'somebody-elses', {}, {}, []]
  const answer: Fetch = async (url, init) => {
    const path = new URL(url).pathname
    if (init?.method === 'POST') {
      sent.push(`${path} ${init.body as string}`)
      return new Response('', { status: path.startsWith('/api/jobs/') ? 405 : 200 })
    }
    if (path === '/api/system_stats') return Response.json({ system: { comfyui_version: version } })
    const state = looks.length > 1 ? looks.shift() : looks[0]
    return Response.json({
      queue_running: [state === 'running' ? item : other],
      queue_pending: state === 'pending' ? [item] : [],
    })
  }
  const client = createComfyClient({ baseUrl: 'http://comfy', fetch: answer })
  const changes = () => sent.filter((line) => !line.startsWith('/api/jobs/'))
  return { cancel: () => client.cancel(ours), changes }
}

it.each(['0.3.57', '0.3.64', '0.25.0', 'v0.10.2', '1.0.0'])(
  'stops the running job of ComfyUI %s by its id',
  async (version) => {
    const { cancel, changes } = server(version, 'running')
    expect(await cancel()).toBe(true)
    expect(changes()).toEqual([`/api/interrupt {"prompt_id":"${ours}"}`])
  },
)

it.each(['0.3.56', '0.2.99', '0.3.9', 'unknown', ''])(
  'refuses to stop a running job of ComfyUI "%s", which might stop another one',
  async (version) => {
    const { cancel, changes } = server(version, 'running')
    await expect(cancel()).rejects.toMatchObject({ kind: 'rejected' })
    expect(changes()).toEqual([])
  },
)

it('takes a waiting job out of the queue, on the oldest server too', async () => {
  const { cancel, changes } = server('0.3.9', 'pending', 'gone')
  expect(await cancel()).toBe(true)
  expect(changes()).toEqual([`/api/queue {"delete":["${ours}"]}`])
})

it('stops a job that began while it was being taken out of the queue', async () => {
  const { cancel, changes } = server('0.3.64', 'pending', 'running')
  expect(await cancel()).toBe(true)
  expect(changes()).toEqual([
    `/api/queue {"delete":["${ours}"]}`,
    `/api/interrupt {"prompt_id":"${ours}"}`,
  ])
})

it('sends nothing when only somebody else’s job runs', async () => {
  const { cancel, changes } = server('0.3.64', 'gone')
  expect(await cancel()).toBe(false)
  expect(changes()).toEqual([])
})

it('of a job without an id asks the server for nothing, because that could stop another one', async () => {
  let asked = 0
  const client = createComfyClient({
    baseUrl: 'http://comfyui',
    fetch: async () => Response.json({ asked: ++asked }),
  })
  expect(await client.cancel('')).toBe(false)
  expect(asked).toBe(0)
})
