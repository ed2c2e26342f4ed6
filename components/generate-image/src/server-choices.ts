/** The servers' own lists of models, LoRAs, samplers and schedulers, stored for a minute. */
import { ComfyError, toNodeClass } from 'ftl-comfyui/client'
import { connectTo } from 'ftl-comfyui/job'
import { getJson, setJson } from 'ftl-platform'
import type { ContextPlatform } from 'ftl-sdk'
import { digest } from './server-memory.ts'
import type { Servers } from 'ftl-comfyui/servers'
import type { ModelArgument } from './workflow/model-inputs.ts'

/** By argument; a list that no server gave is absent. */
export type Choices = Partial<Record<ModelArgument, string[]>>

const SOURCES: readonly (readonly [ModelArgument, nodeClass: string, input: string])[] = [
  ['model', 'CheckpointLoaderSimple', 'ckpt_name'],
  ['model', 'UNETLoader', 'unet_name'],
  ['loras', 'LoraLoader', 'lora_name'],
  ['sampler', 'KSampler', 'sampler_name'],
  ['scheduler', 'KSampler', 'scheduler'],
]
const CLASSES = [...new Set(SOURCES.map(([, nodeClass]) => nodeClass))]
const KEPT_MS = 60_000
/** Short, because a list of tools waits for it. */
const LIMIT_MS = 1_000
/** Bytes; values of up to 1 MB are safe on every platform. */
const MAX_STORED = 900_000

/** What all servers together have. A server that does not answer in time adds nothing. */
export async function readChoices(
  platform: ContextPlatform,
  { list, urls }: Servers,
): Promise<Choices> {
  const store = await platform.openKeyValue('default')
  const key = `comfy:choices:${await digest(urls.join())}`
  const stored = await getJson<{ at: number; choices: Choices }>(store, key)
  if (stored && platform.now() - stored.at < KEPT_MS) return stored.choices
  const found = new Map<ModelArgument, Set<string>>()
  await Promise.all(
    list.map(async (server) => {
      const client = connectTo(server, { platform, deadline: LIMIT_MS * 2 }, LIMIT_MS)
      try {
        const infos = await client.objectInfo(CLASSES)
        for (const [argument, nodeClass, input] of SOURCES) {
          const { inputs } = toNodeClass(infos[nodeClass])
          const names = (inputs[input]?.choices ?? []).filter((name) => typeof name === 'string')
          found.set(argument, new Set([...(found.get(argument) ?? []), ...names]))
        }
      } catch (error) {
        if (!(error instanceof ComfyError)) throw error
      }
    }),
  )
  const choices: Choices = Object.fromEntries([...found].map(([name, set]) => [name, [...set]]))
  const entry = { at: platform.now(), choices }
  if (JSON.stringify(entry).length <= MAX_STORED) await setJson(store, key, entry)
  return choices
}
