// Clients that follow one job: more of them than a component may have instances.
import { dirname, join } from 'node:path'
import { startSimulator } from 'ftl-comfyui/simulator'
import { startHost } from 'ftl-host'
import { expect, it, onTestFinished } from 'vitest'
import { DRAIN_MS } from '../support/drain.ts'
import { embeddedOnly } from '../support/embedded-only.ts'
import { gatewaySource } from '../support/gateway-source.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { ask, LINES } from './application.ts'

const MAX_INSTANCES = 8
const MAX_REQUESTS = 40
/** Three of four places. */
const LONG = 30
const FOLLOWERS = 35

async function startWithJob(): Promise<{ url: string; events: string }> {
  const comfyui = await startSimulator({ port: 0, renderSeconds: 60 })
  const host = await startHost({
    drainMs: DRAIN_MS,
    manifest: MANIFESTS.application,
    listen: '127.0.0.1:0',
    stateDir: '',
    cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
    env: {},
    maxInstances: MAX_INSTANCES,
    maxRequests: MAX_REQUESTS,
    variables: { comfyui_url: comfyui.url, tool_components: 'generate-image' },
  })
  onTestFinished(async () => {
    await host.close()
    await comfyui.close()
  })
  const call = { tool: 'generate_image', params: { prompt: 'a dragon' } }
  const { body } = await ask(`${host.url}/invoke`, call, { prefer: 'respond-async' })
  return { url: host.url, events: `${host.url}/jobs/${String(body['id'])}/events` }
}

it(
  'followers of a job take places of the gateway only where it runs in a sandbox',
  embeddedOnly('sets the limits of the host'),
  async () => {
    const { url, events } = await startWithJob()
    const leaving = new AbortController()
    onTestFinished(() => leaving.abort())
    const follow = async () => {
      const response = await fetch(events, { headers: LINES, signal: leaving.signal })
      // The first line: its answer has begun.
      if (response.status === 200) await response.body?.getReader().read()
      return response.status
    }
    // One after the other: a follower is one once its answer has begun.
    const statuses: number[] = []
    for (let nth = 0; nth < FOLLOWERS; nth++) statuses.push(await follow())
    const places = gatewaySource() === undefined ? (MAX_INSTANCES * 3) / 4 : LONG
    expect(statuses.filter((status) => status === 200)).toHaveLength(places)
    expect(statuses.filter((status) => status === 503)).toHaveLength(FOLLOWERS - places)
    // The others are served beside them.
    expect((await ask(`${url}/tools`)).status).toBe(200)
    expect((await ask(events.replace('/events', ''))).body['status']).toBe('working')
  },
)
