/** The default application as `ftl up` runs it, with a simulated ComfyUI that counts what it is asked to render. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSimulator } from 'ftl-comfyui/simulator'
import { freePort, ftl } from '../support/command.ts'
import type { Application } from './application.ts'
import type { Call } from './tools.ts'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const IMAGE = `data:image/png;base64,${PIXEL}`
/** The address of what was made, in a text that a model reads. */
const MADE = /\/outputs\//
/** What was made, or the id of the job and what to do with it. */
const MADE_OR_JOB = /\/outputs\/|job_id|This is job/

const QUICK: readonly Call[] = [
  { name: 'echo', args: { message: 'hello' }, says: /hello/ },
  { name: 'calculator', args: { expression: '6*7' }, says: /42/ },
  { name: 'list_models', args: { folder: 'checkpoints' }, says: /sd_xl_base/ },
  { name: 'search_nodes', args: { query: 'sampler' }, says: /KSampler/ },
  { name: 'describe_node', args: { name: 'KSampler' }, says: /steps/ },
  { name: 'queue_status', args: {}, says: /remaining|prompts?/i },
  { name: 'server_stats', args: {}, says: /0\.33|version|memory|RAM/i },
  { name: 'upload_image', args: { image: IMAGE }, says: /\.png/ },
  { name: 'upscale_image', args: { image: IMAGE }, says: MADE, startsJob: true },
  { name: 'example', args: { positive_prompt: 'a fox' }, says: MADE, startsJob: true },
  { name: 'generate_image', args: { prompt: 'a fox' }, says: MADE, startsJob: true },
]

/** Of the same arguments, a job of another framework may be the answer. */
const slow = (seed: number): Call[] => [
  { name: 'generate_image', args: { prompt: 'a fox', seed }, says: MADE_OR_JOB, startsJob: true },
]

/** A busy machine needs long to start an application. */
const START_MS = 300_000

/** Longer than most frameworks here wait, and shorter than the gateway does without being told. */
const SLOW_SECONDS = 35

/** @param isSlow one call, whose job takes longer than most frameworks here wait. */
export async function startDefaultApplication(isSlow: boolean): Promise<Application> {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-frameworks-'))
  const simulator = await startSimulator({ port: 0, renderSeconds: isSlow ? SLOW_SECONDS : 0.2 })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const state = ['--state-dir', folder, '--variable', `comfyui_url=${simulator.url}`]
  const host = ftl(['up', '--listen', `127.0.0.1:${port}`, ...state])
  await host.printed(url, START_MS)
  let [counted, asked] = [0, 0]
  return {
    url,
    calls: () => (isSlow ? slow(++asked) : QUICK),
    async jobs() {
      const get = async (path: string): Promise<unknown> =>
        (await fetch(`${simulator.url}/${path}`)).json()
      const queue = (await get('queue')) as Record<string, unknown[]>
      const history = (await get('history')) as object
      const all = Object.keys(history).length + Object.values(queue).flat().length
      const before = counted
      counted = all
      // What still runs would make the next one wait.
      const post = { method: 'POST', body: '{"clear":true}' }
      for (const path of ['queue', 'interrupt']) await fetch(`${simulator.url}/${path}`, post)
      return all - before
    },
    async close() {
      host.signal('SIGTERM')
      await host.exited
      await simulator.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
