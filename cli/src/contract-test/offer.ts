/** The description that a component returns, read without trusting it. */
import { isObject } from 'ftl-contract'
import { Violation } from './check.ts'
import type { Answer } from './subject.ts'

export interface PublishedTool {
  name: string
  title?: unknown
  description?: unknown
  inputSchema?: unknown
  outputSchema?: unknown
  annotations?: { destructiveHint?: unknown }
}

/** Entries are objects; their fields are not validated. */
export interface PublishedOffer {
  tools: PublishedTool[]
  prompts: Record<string, unknown>[]
  resources: Record<string, unknown>[]
  resourceTemplates: Record<string, unknown>[]
  jobs: boolean
}

const LISTS = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const

/** @throws {Violation} that names the part that cannot be read. */
export function readOffer({ status, json, text }: Answer): PublishedOffer {
  if (status !== 200) throw new Violation(`GET / returned ${status}: ${shorten(text)}`)
  if (json === undefined) throw new Violation(`GET / must return JSON: ${shorten(text)}`)
  if (Array.isArray(json)) return fromLists({ tools: json })
  if (!isObject(json))
    throw new Violation(`GET / must return an object or an array: ${shorten(text)}`)
  if ('name' in json) return fromLists({ tools: [json] })
  if (LISTS.some((list) => list in json)) return fromLists(json)
  throw new Violation(`GET / must return a tool or an object of lists: ${shorten(text)}`)
}

function fromLists(offer: Record<string, unknown>): PublishedOffer {
  const list = (name: (typeof LISTS)[number]) => {
    const entries = offer[name] ?? []
    if (!Array.isArray(entries)) throw new Violation(`"${name}" must be an array`)
    const odd = entries.findIndex((entry) => !isObject(entry))
    if (odd >= 0) throw new Violation(`${name}[${odd}] must be an object`)
    return entries as Record<string, unknown>[]
  }
  const tools = list('tools')
  const unnamed = tools.findIndex(({ name }) => typeof name !== 'string')
  if (unnamed >= 0) throw new Violation(`tools[${unnamed}] has no name`)
  return {
    tools: tools as unknown as PublishedTool[],
    prompts: list('prompts'),
    resources: list('resources'),
    resourceTemplates: list('resourceTemplates'),
    jobs: offer.jobs === true,
  }
}

export function shorten(text: string, length = 120): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > length ? `${line.slice(0, length)}…` : line === '' ? '(nothing)' : line
}
