/** A prompt's shape, and the check that all its nodes are known. */
import { isObject } from 'ftl-contract'
import { NODES } from './nodes/catalog.ts'
import type { NodeDefinition } from './nodes/definition.ts'
import type { VersionTraits } from './version.ts'

export interface PromptNode {
  class_type?: string
  inputs: Record<string, unknown>
  _meta?: { title?: string }
}

export type Prompt = Record<string, PromptNode>

export interface PromptError {
  type: string
  message: string
  details: string
  extra_info: Record<string, unknown>
}

/** The server fails with an internal error on such a prompt. */
export class MalformedPrompt extends Error {
  override readonly name = 'MalformedPrompt'
}

/** A link is a list of two: the other node's id and its slot. */
export function isLink(value: unknown): value is [string, number] {
  return Array.isArray(value) && value.length === 2
}

/** An error of the prompt as a whole. */
export function promptError(
  type: string,
  message: string,
  details = '',
  extra_info: Record<string, unknown> = {},
): PromptError {
  return { type, message, details, extra_info }
}

export function definitionOf(prompt: Prompt, id: string): NodeDefinition | undefined {
  return NODES.get(prompt[id]?.class_type ?? '')
}

function hasClass(type: string, { modernInfo }: VersionTraits): boolean {
  const node = NODES.get(type)
  return node !== undefined && (modernInfo || node.older !== null)
}

/** The first node that names no class, or one the server does not have. */
export function checkClasses(prompt: Prompt, traits: VersionTraits): PromptError | undefined {
  for (const [id, node] of Object.entries(prompt)) {
    const isNode = isObject(node)
    if (!isNode && traits.namesMissingNodes) throw new MalformedPrompt()
    const type = isNode ? node.class_type : undefined
    if (type !== undefined && hasClass(type, traits)) continue
    const where = `Node ID '#${id}'`
    if (!traits.namesMissingNodes) {
      const message =
        type === undefined
          ? 'Cannot execute because a node is missing the class_type property.'
          : `Cannot execute because node ${type} does not exist.`
      return promptError('invalid_prompt', message, where)
    }
    const title = node._meta?.title ?? type ?? null
    const message =
      type === undefined
        ? `Node '${title ?? `ID #${id}`}' has no class_type. The workflow may be corrupted or a custom node is missing.`
        : `Node '${title}' not found. The custom node may not be installed.`
    const info = { node_id: id, class_type: type ?? null, node_title: title }
    return promptError('missing_node_type', message, where, info)
  }
  return undefined
}
