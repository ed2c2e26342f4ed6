/** The supported model APIs, by the value of `llm_api`. */
import type { Api, ModelSettings } from '../settings.ts'
import type { Wire } from './messages.ts'
import { ollama } from './ollama.ts'
import { openai } from './openai.ts'

export const WIRES: Readonly<Record<Api, Wire>> = { openai, ollama }

/** Headers with the key, if one is set. */
export function authorization({ key }: ModelSettings): Record<string, string> {
  return key === '' ? {} : { authorization: `Bearer ${key}` }
}
