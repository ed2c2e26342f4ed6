/** What the components depend on: the bridge, ComfyUI, and the model of the chat. */
import { useEffect, useState } from 'preact/hooks'
import { asOwn } from './own-requests.ts'
import { asArray, asRecord, count, getJson, posting, text } from '../net/api.ts'

interface Service {
  name: string
  state: 'ok' | 'failed' | 'unused'
  words: string
}

const AGAIN_MS = 30_000

export function Services() {
  const [services, setServices] = useState<readonly Service[]>([])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    const look = async () => {
      if (document.visibilityState === 'visible') {
        const found = await Promise.all([bridge(), model(), comfyui()])
        if (!isGone) setServices(found.flat())
      }
      if (!isGone) timer = setTimeout(() => void look(), AGAIN_MS)
    }
    void look()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [])
  if (services.length === 0) return null
  return (
    <section aria-label="Services">
      <ul class="services">
        {services.map(({ name, state, words }) => (
          <li key={name + words}>
            <b>{name}</b>
            <span class="badge" data-state={state}>
              {words}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

async function bridge(): Promise<Service[]> {
  const body = asRecord(await getJson('/health/components', asOwn()).catch(() => undefined))
  const where = text(body['bridge'])
  if (where === undefined) return []
  const state = where === 'down' ? 'failed' : where === 'off' ? 'unused' : 'ok'
  return [{ name: 'Bridge', state, words: where }]
}

async function model(): Promise<Service[]> {
  const answer = await getJson('/api/chat', asOwn()).catch(() => undefined)
  if (answer === undefined) return []
  const body = asRecord(answer)
  const name = text(body['model'])
  const reason = text(body['reason'])
  if (body['configured'] === false) {
    return [{ name: 'Model', state: 'failed', words: reason ?? 'not configured' }]
  }
  return name === undefined || name === '' ? [] : [{ name: 'Model', state: 'ok', words: name }]
}

/** By the tools of the component comfyui, if the caller may use them. */
async function comfyui(): Promise<Service[]> {
  const [stats, queues] = await Promise.all(
    ['server_stats', 'queue_status'].map((tool) =>
      getJson(`/tools/${tool}`, asOwn(posting({}))).catch(() => undefined),
    ),
  )
  if (stats === undefined) return []
  const serversOf = (answer: unknown) =>
    asArray(asRecord(asRecord(answer)['structuredContent'])['servers']).map(asRecord)
  const waiting = serversOf(queues)
  return serversOf(stats).map((server, index) => {
    const name = text(server['name']) ?? 'ComfyUI'
    const error = text(server['error'])
    if (error !== undefined) return { name, state: 'failed', words: error }
    const devices = asArray(server['devices']).map(asRecord)
    const parts = [
      text(server['version']) && `version ${text(server['version'])}`,
      `${count(waiting[index]?.['remaining']) ?? 0} in the queue`,
      ...devices.map(
        ({ name: device, memoryFree, memoryTotal }) =>
          `${text(device) ?? 'device'}: ${gigabytes(memoryFree)} of ${gigabytes(memoryTotal)} GB free`,
      ),
    ]
    return { name, state: 'ok', words: parts.filter(Boolean).join(' · ') }
  })
}

const gigabytes = (bytes: unknown) => ((count(bytes) ?? 0) / 1024 ** 3).toFixed(1)
