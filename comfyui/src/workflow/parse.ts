/**
 * Reads a workflow in the API format.
 *
 * @see https://docs.comfy.org/development/core-concepts/workflow
 */

import { isObject } from 'ftl-contract'
import { neededNodes, writesResult } from '../client/needed.ts'
import { isLink } from '../client/nodes.ts'
import { unwrap } from './wrapper.ts'

export interface WorkflowNode {
  class_type: string
  /** A value, or a link `[node id, slot]`. */
  inputs: Record<string, unknown>
  _meta?: { title?: string }
}

/** Nodes by their id; an id is any string, `57:27` for example. */
export type Workflow = Record<string, WorkflowNode>

/** The file is not a workflow that can be run; the message says what to do. */
export class WorkflowError extends Error {
  override readonly name = 'WorkflowError'
}

/**
 * @param source JSON text or its value; wrappers such as `{"prompt": {...}}` are removed. Integers beyond 2^53 in a text become texts.
 * @param links `unchecked`: they are compared with the nodes of a server later, which knows what it runs.
 * @throws {WorkflowError}
 */
export function parseWorkflow(source: unknown, links?: 'unchecked'): Workflow {
  const outer = typeof source === 'string' ? parseJson(source) : source
  const inner = isObject(outer) ? unwrap<unknown>(outer, memberOf) : outer
  const value = typeof inner === 'string' ? parseJson(inner) : inner
  if (!isObject(value)) throw new WorkflowError('A workflow must be a JSON object of nodes.')
  if (Array.isArray(value.nodes)) {
    throw new WorkflowError(
      'This workflow is in the format of the ComfyUI editor. Export it with "File → Export (API)" and use that file.',
    )
  }
  const entries = Object.entries(value)
  if (entries.length === 0) throw new WorkflowError('The workflow has no nodes.')
  const workflow = Object.fromEntries(entries.map(([id, node]) => [id, toNode(id, node)]))
  if (links !== 'unchecked') checkLinks(workflow)
  return workflow
}

/** A link to nothing is fine in a node that nothing depends on: ComfyUI does not look at it. */
function checkLinks(workflow: Workflow): void {
  const linksOf = (id: string) =>
    Object.entries(workflow[id]?.inputs ?? {}).flatMap(([name, value]) =>
      isLink(value) ? [{ name, source: value[0] }] : [],
    )
  const isOutput = (id: string) => writesResult(workflow[id]?.class_type ?? '')
  const sources = (id: string) => linksOf(id).map(({ source }) => source)
  for (const id of neededNodes(Object.keys(workflow), isOutput, sources)) {
    const lost = linksOf(id).find(({ source }) => !Object.hasOwn(workflow, source))
    if (!lost) continue
    throw new WorkflowError(
      `"${lost.name}" of node "${id}" is linked to node "${lost.source}", which is not there.`,
    )
  }
}

function memberOf(value: unknown, name: string): unknown {
  const member = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return typeof member === 'string' || (isObject(member) && !('class_type' in member))
    ? member
    : undefined
}

const LONG_DIGITS = /\d{16}/
/** Texts as well, so that nothing inside one is found. */
const TEXT_OR_INTEGER = /"(?:[^"\\]|\\.)*"|(?<![\w.+-])-?\d{16,}(?![\w.])/g

/** A seed may have 20 digits. JSON.parse would change the last ones, and ComfyUI takes a text of digits as a number. */
function exact(part: string): string {
  return part.startsWith('"') || Number.isSafeInteger(Number(part)) ? part : `"${part}"`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(
      LONG_DIGITS.test(text) ? text.replace(TEXT_OR_INTEGER, exact) : text,
    ) as unknown
  } catch {
    throw new WorkflowError('The workflow is not valid JSON.')
  }
}

function toNode(id: string, node: unknown): WorkflowNode {
  if (!isObject(node) || typeof node.class_type !== 'string') {
    throw new WorkflowError(`Node "${id}" of the workflow has no "class_type".`)
  }
  const inputs = node.inputs ?? {}
  if (!isObject(inputs)) throw new WorkflowError(`"inputs" of node "${id}" must be an object.`)
  for (const [name, value] of Object.entries(inputs)) {
    // Beyond 2^53 JSON.parse has changed the number already, and ComfyUI may refuse the result.
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw new WorkflowError(
        `"${name}" of node "${id}" is larger than ${Number.MAX_SAFE_INTEGER}; use a smaller number, or write it as a text in double quotes, which ComfyUI converts.`,
      )
    }
  }
  const meta = isObject(node._meta) ? node._meta : {}
  return {
    class_type: node.class_type,
    inputs,
    ...(typeof meta.title === 'string' && { _meta: { title: meta.title } }),
  }
}
