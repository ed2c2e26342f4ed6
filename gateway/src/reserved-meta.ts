/**
 * Keys of `_meta` that only the gateway writes: its own `ftl/`, and those of the protocol.
 *
 * A client acts on them: `ftl/approval` makes it ask a person and send the call again. What a component says under such a
 * key is removed where its answer arrives; the gateway adds its own keys afterwards.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
 */
import { isObject, SKILL_KEY } from 'ftl-contract'

/** Set by `ftl build` for an application whose manifest names no skills. */
declare const BUILT_WITHOUT_SKILLS: true | undefined

/** With which the description of a tool asks the gateway for something. */
export const OF_TOOLS = ['ftl/alwaysVisible', 'ftl/program', 'ftl/uploads']

/** The files of a skill, for the feature that lists skills. */
export const OF_RESOURCES = typeof BUILT_WITHOUT_SKILLS === 'undefined' ? [SKILL_KEY] : []

/** Fields that lead to a `_meta` with a meaning. Structured content and arguments are a tool's own, and not searched. */
const PLACES = ['job', 'result', 'content', 'contents', 'resource', 'messages', 'params', 'tools']

/** Nothing that the protocol describes is deeper: a resource in a tool's result in a message of a question. */
const DEEPEST = 10

/** By the second label of the prefix, as in `dev.mcp/`; before 2025-11-25, the last but one, as in `tools.mcp.com/`. */
function isReserved(key: string): boolean {
  const end = key.indexOf('/')
  const labels = key.slice(0, end).toLowerCase().split('.')
  return (
    end > 0 &&
    (labels[0] === 'ftl' ||
      [labels[1], labels.at(-2)].some(
        (label) => label === 'mcp' || label === 'modelcontextprotocol',
      ))
  )
}

/** @param kept reserved keys that the gateway permits there. */
export function withoutReserved(fields: object, kept: readonly string[] = []): object {
  const own = Object.entries(fields).filter(([key]) => kept.includes(key) || !isReserved(key))
  return Object.fromEntries(own)
}

/**
 * A parsed answer of a component, without reserved keys. It is changed in place: most answers have no `_meta`.
 *
 * @param kept reserved keys that the gateway itself expects in the `_meta` of the answer.
 */
export function dropReserved<T>(answer: T, kept?: readonly string[], depth = 0): T {
  if (depth > DEEPEST) return answer
  if (Array.isArray(answer)) {
    for (const item of answer) dropReserved(item, undefined, depth + 1)
  } else if (isObject(answer)) {
    const fields: Record<string, unknown> = answer
    const { _meta: meta, inputRequests: asked, error } = fields
    if (isObject(meta)) fields._meta = withoutReserved(meta, kept)
    // A tool's error is the `_meta` of its result, and the data of its job's error.
    if (isObject(error) && isObject(error.data)) error.data = withoutReserved(error.data)
    if (isObject(asked)) {
      fields.inputRequests = withoutReserved(asked)
      dropReserved(Object.values(asked), undefined, depth)
    }
    for (const place of PLACES) {
      if (fields[place] !== undefined) dropReserved(fields[place], undefined, depth + 1)
    }
  }
  return answer
}
