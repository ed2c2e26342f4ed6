/**
 * An index of the server's nodes: their description is megabytes, so what a search needs is stored for ten minutes.
 *
 * The stored index may be lost at any time; then the server is asked again.
 */
import { type ComfyClient, toNodeClass } from 'ftl-comfyui/client'
import type { ToolContext } from 'ftl-sdk'
import type { Merged } from './merge.ts'

export interface FoundNode {
  name: string
  title: string
  category: string
  description: string
  outputs: string[]
}

export interface NodeEntry extends FoundNode {
  /** Names and types of the inputs. */
  inputs: string
}

const KEPT_MS = 10 * 60_000
/** Bytes; values of up to 1 MB are safe on every platform. */
const MAX_STORED = 900_000
const MAX_DESCRIPTION = 200

/** @returns nodes that have all words; those with a word in their name come first. */
export function searchIndex(
  query: string,
  entries: readonly Merged<NodeEntry>[],
): Merged<FoundNode>[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const ranked = entries.flatMap((found) => {
    const entry = found.item
    const title = `${entry.name} ${entry.title}`.toLowerCase()
    const all = `${title} ${entry.category} ${entry.description} ${entry.inputs} ${entry.outputs.join(' ')}`
    const text = all.toLowerCase()
    if (!words.every((word) => text.includes(word))) return []
    return { found, rank: words.filter((word) => title.includes(word)).length }
  })
  ranked.sort((a, b) => b.rank - a.rank || a.found.key.length - b.found.key.length)
  return ranked.map(({ found: { item, ...rest } }) => {
    const { inputs: _, ...node } = item
    return { ...rest, item: node }
  })
}

/** The nodes of one server. */
export async function readIndex(
  url: string,
  client: ComfyClient,
  context: ToolContext,
): Promise<NodeEntry[]> {
  const { kv, platform } = context
  const key = `comfyui:nodes:${await digest(url)}`
  const stored = await kv.getJson<{ at: number; entries: NodeEntry[] }>(key).catch(() => undefined)
  if (stored && platform.now() - stored.at < KEPT_MS) return stored.entries
  const entries = Object.entries(await client.objectInfo()).map(([name, info]) =>
    toEntry(name, info),
  )
  const text = JSON.stringify({ at: platform.now(), entries })
  if (text.length <= MAX_STORED) {
    await kv
      .set(key, text)
      .catch((error: unknown) => console.warn('the index was not stored:', error))
  }
  return entries
}

function toEntry(name: string, info: unknown): NodeEntry {
  const about = (key: string) => {
    const value = (info as Record<string, unknown> | null)?.[key]
    return typeof value === 'string' ? value.slice(0, MAX_DESCRIPTION) : ''
  }
  const { inputs, outputs } = toNodeClass(info)
  return {
    name,
    title: about('display_name') || name,
    category: about('category'),
    description: about('description'),
    outputs,
    inputs: Object.entries(inputs)
      .map(([input, { type }]) => `${input} ${type}`)
      .join(' '),
  }
}

/** A URL is longer than a key may be, and has characters that a key must not have. */
async function digest(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return [...hash.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
