/** Reads a component's description, and leaves out entries that would break a client's whole list. */
import { isObject, isString, type Offer, type ToolDescription } from 'ftl-contract'
import type { PublishedEntries } from './differences.ts'
import {
  type CallAddress,
  type Descriptions,
  type Kind,
  KINDS,
  LABELS,
  type Relays,
} from './catalog.ts'
import { OF_RESOURCES, OF_TOOLS, withoutReserved } from '../reserved-meta.ts'
import { cleanEntry, HiddenInName } from './clean-entry.ts'
import { withFittingMembers } from './fitting-members.ts'
import { withoutHidden } from './hidden-characters.ts'
import { withPortableSchemas } from './portable-schema.ts'
import { relaysOf } from './relayed-instructions.ts'
import { withRelayedSkills } from './relayed-skills.ts'

/** Set by `ftl build` for an application whose manifest names no skills. */
declare const BUILT_WITHOUT_SKILLS: true | undefined
/** The same, of an application without a component that has other servers behind it. */
declare const BUILT_WITHOUT_INSTRUCTIONS: true | undefined

type Flags = { completions: boolean; logging: boolean; jobs: boolean; relays?: Relays }

export type Offers = { [K in Kind]: Descriptions[K][] } & Flags

export interface Described {
  /** Without hidden characters. */
  offers: Offers
  /** Where it takes calls, by what it published, usable or not. */
  callAt: CallAddress[]
  /** One line for everything left out. */
  problems: string[]
  /** How many entries the component does not list, by its own account. @default 0 */
  leftOut?: number
}

/** A component's answer to `GET /` does not follow the contract. The message is safe to show. */
export class NotAToolList extends Error {
  override readonly name = 'NotAToolList'
}

/** @param value parsed JSON. @throws {NotAToolList} */
export function describe(value: unknown): Described & { asPublished: PublishedEntries } {
  const offer = toOffer(value)
  const published = typeof BUILT_WITHOUT_SKILLS === 'undefined' ? withRelayedSkills(offer) : offer
  // What it passes on is another server's, and must not ask this gateway for anything.
  const kept: Partial<Record<Kind, readonly string[]>> = {
    resources: OF_RESOURCES,
    ...(published.relays !== true && { tools: OF_TOOLS }),
  }
  const tools = published.tools ?? []
  const problems = reportedProblems(published.problems)
  const removed = new Map<string, string[]>()
  const usable = (kind: Kind) => {
    const list: unknown = published[kind] ?? []
    if (!Array.isArray(list)) {
      problems.push(`${kind}: it is not an array`)
      return []
    }
    return list.flatMap((given: unknown, index): object[] => {
      const lost: string[] = []
      const entry = isObject(given)
        ? withFittingMembers(kind, given, (what) => lost.push(what))
        : given
      const cleaned = cleanedEntry(kind, entry, kept[kind] ?? [])
      if (!('problem' in cleaned)) {
        for (const what of lost) {
          const labels = removed.get(what) ?? []
          removed.set(what, labels)
          labels.push(label(kind, entry, index))
        }
        return [cleaned.entry]
      }
      problems.push(`${label(kind, entry, index)}: ${cleaned.problem}`)
      return []
    })
  }
  const lists = KINDS.map((kind) => [kind, usable(kind)])
  const offers = {
    ...(Object.fromEntries(lists) as Omit<Offers, keyof Flags>),
    completions: published.completions === true,
    logging: published.logging === true,
    jobs: published.jobs === true,
    ...(published.relays === true && {
      relays: typeof BUILT_WITHOUT_INSTRUCTIONS === 'undefined' ? relaysOf(published) : true,
    }),
  }
  offers.tools = offers.tools.map((tool) => withPortableSchemas(withObjectType(tool)))
  problems.push(...removedMembers(removed))
  const { leftOut } = published
  return {
    offers,
    callAt: addresses(value, tools),
    problems,
    ...(Number.isSafeInteger(leftOut) && { leftOut }),
    asPublished: entriesOf(published),
  }
}

function entriesOf(published: Offer): PublishedEntries {
  const lists = KINDS.map((kind): [Kind, object[]] => {
    const list: unknown = published[kind]
    return [kind, Array.isArray(list) ? list.filter(isObject) : []]
  })
  return Object.fromEntries(lists) as unknown as PublishedEntries
}

function cleanedEntry(
  kind: Kind,
  entry: unknown,
  kept: readonly string[],
): { entry: object } | { problem: string } {
  const problem = problemOf(kind, entry)
  if (problem !== undefined) return { problem }
  try {
    return { entry: withOwnMeta(cleanEntry(ofItsKind(kind, entry as object)), kept) }
  } catch (error) {
    if (error instanceof HiddenInName) return { problem: error.message }
    throw error
  }
}

function withOwnMeta(entry: { _meta?: object }, kept: readonly string[]): object {
  if (!entry._meta) return entry
  return { ...entry, _meta: withoutReserved(entry._meta, kept) }
}

/** Fields by which other parts tell the kinds apart: with one of another kind, a rule for that kind would decide. */
const OF_OTHER_KINDS: Record<Kind, readonly string[]> = {
  tools: ['uri', 'uriTemplate'],
  prompts: ['inputSchema', 'uri', 'uriTemplate'],
  resources: ['inputSchema', 'uriTemplate'],
  resourceTemplates: ['inputSchema', 'uri'],
}

function ofItsKind(kind: Kind, entry: object): object {
  const others = OF_OTHER_KINDS[kind]
  if (!others.some((field) => field in entry)) return entry
  return Object.fromEntries(Object.entries(entry).filter(([field]) => !others.includes(field)))
}

function toOffer(value: unknown): Offer {
  if (Array.isArray(value)) return { tools: value as ToolDescription[] }
  if (!isObject(value)) throw new NotAToolList('its description must be a tool or a list of tools')
  // A component may offer prompts or resources only.
  return KINDS.some((kind) => kind in value)
    ? value
    : { tools: [value as unknown as ToolDescription] }
}

/** Lines, and their length, that a component may have reported to the operator. */
const MAX_PROBLEMS = 100
const MAX_PROBLEM_LENGTH = 500

function reportedProblems(value: unknown): string[] {
  const lines = Array.isArray(value) ? value.filter(isString) : []
  return lines
    .slice(0, MAX_PROBLEMS)
    .map((line) => withoutHidden(line.slice(0, MAX_PROBLEM_LENGTH)))
}

/**
 * A component that is one tool may know `POST /` only, as the API reference has it; one made of a list may know
 * `POST /{tool}` only, also when the list has one entry.
 */
function addresses(value: unknown, tools: unknown): CallAddress[] {
  if (!Array.isArray(tools) || tools.length !== 1) return ['/{tool}']
  return tools[0] === value ? ['/', '/{tool}'] : ['/{tool}', '/']
}

/** Members of one kind that many entries have lost, and entries that are named for each. */
const MAX_REMOVED = 20
const MAX_NAMED = 3

/** One line for each member, not for each entry: a server may write the same null into all its tools. */
function removedMembers(removed: ReadonlyMap<string, readonly string[]>): string[] {
  const lines = [...removed].map(([what, labels]) => {
    const more = labels.length - MAX_NAMED
    const named = labels.slice(0, MAX_NAMED).join(', ')
    const line = `${named}${more > 0 ? ` and ${more} more` : ''}: ${what}; it is left out`
    return withoutHidden(line.slice(0, MAX_PROBLEM_LENGTH))
  })
  const more = lines.length - MAX_REMOVED
  return more > 0 ? [...lines.slice(0, MAX_REMOVED), `${more} more members are left out`] : lines
}

function label(kind: Kind, entry: unknown, index: number): string {
  return isObject(entry) && isName(entry.name)
    ? `${LABELS[kind]} "${entry.name}"`
    : `${LABELS[kind]} ${index + 1}`
}

// Letters, digits and punctuation that survive in an address and in every client.
const NAME = /^[A-Za-z0-9_.-]{1,128}$/
// No white space and no control characters.
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:(?:(?!\s)[!-~\u00a1-\uffff])*$/

/** Characters of a resource's uri or name. Longer addresses do not get through proxies. */
const MAX_LENGTH = 8_000

function isName(value: unknown): value is string {
  return isString(value) && NAME.test(value)
}

/** Clients check the list as a whole: one entry of the wrong shape would cost them all the others. */
function problemOf(kind: Kind, entry: unknown): string | undefined {
  if (!isObject(entry)) return 'it is not an object'
  const { name, inputSchema, arguments: args } = entry
  if (name === undefined) return 'it has no name'
  if (kind === 'tools' || kind === 'prompts') {
    if (!isName(name)) return 'its name must be 1 to 128 characters of A-Z a-z 0-9 _ . -'
  } else {
    if (!isString(name) || name.length > MAX_LENGTH) {
      return `its name must be a string of at most ${MAX_LENGTH} characters`
    }
    const field = kind === 'resources' ? 'uri' : 'uriTemplate'
    const uri = entry[field]
    if (!isString(uri) || !URI.test(uri)) {
      return `its ${field} must begin with a scheme and have no spaces or control characters`
    }
    if (uri.length > MAX_LENGTH) return `its ${field} must have at most ${MAX_LENGTH} characters`
  }
  if (kind === 'tools') {
    if (inputSchema === undefined) return 'it has no inputSchema'
    if (!isObject(inputSchema)) return 'its inputSchema must be a JSON Schema object'
    if (!['object', undefined].includes(inputSchema.type as string | undefined)) {
      return 'its inputSchema must have the type "object"'
    }
  }
  if (
    kind === 'prompts' &&
    args !== undefined &&
    !(Array.isArray(args) && args.every(isArgument))
  ) {
    return 'its arguments must be an array of objects, each with a name'
  }
  return undefined
}

function isArgument(value: unknown): boolean {
  return (
    isObject(value) &&
    isString(value.name) &&
    (value.required === undefined || typeof value.required === 'boolean')
  )
}

// Arguments are always an object, so a schema that leaves the type out means just that; clients insist on it.
function withObjectType(tool: ToolDescription): ToolDescription {
  if (tool.inputSchema.type === 'object') return tool
  return { ...tool, inputSchema: { type: 'object', ...tool.inputSchema } }
}
