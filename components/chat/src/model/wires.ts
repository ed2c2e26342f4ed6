/**
 * The ways to speak to a model, by their names.
 *
 * @module
 */
import type { Api, ModelSettings } from '../settings.ts'
import type { Wire } from './messages.ts'
import { ollama } from './ollama.ts'
import { openai } from './openai.ts'

export const WIRES: Readonly<Record<Api, Wire>> = { openai, ollama }

/** Headers that show the key, where there is one. */
export function authorization({ key }: ModelSettings): Record<string, string> {
  return key === '' ? {} : { authorization: `Bearer ${key}` }
}
