/**
 * Reads a workflow file in the API format, with the position of every node and input.
 *
 * @see https://docs.comfy.org/development/core-concepts/workflow
 */
import type { Reporter } from './finding.ts'
import { type JsonNode, type JsonObject, type Span, valueAt } from './json-text.ts'
import { isLink } from '../client/nodes.ts'
import { unwrap } from './wrapper.ts'

export interface NodeText extends Span {
  id: string
  classType: string
  title?: string
  inputs: ReadonlyMap<string, JsonNode>
  /** Offset of the place for another input; `undefined` for a node without `inputs`. */
  firstInputAt: number | undefined
}

export interface WorkflowText {
  /** The whole file, including a wrapper around the nodes. */
  text: string
  /** Position of the object of nodes, which ComfyUI accepts as `prompt`. */
  body: Span
  /** By id, which may be any string: `57:27`, `__proto__`. */
  nodes: ReadonlyMap<string, NodeText>
}

/** The largest seed of ComfyUI: 2^64 - 1. */
const MAX_INT = 18_446_744_073_709_551_615n

/** @returns `undefined` if the workflow cannot be run; the reason is reported. */
export function readWorkflowText(root: JsonNode, report: Reporter): WorkflowText | undefined {
  const body = bodyOf(root, report)
  if (!body) return undefined
  if (body.members.size === 0) {
    report.error(body.start, 'the workflow has no nodes', 'export it again from ComfyUI')
    return undefined
  }
  const nodes = new Map<string, NodeText>()
  let whole = true
  for (const [id, node] of body.members) {
    const read = readNode(id, node, report)
    if (read) nodes.set(id, read)
    else whole = false
  }
  for (const { at } of body.repeated) {
    report.warn(at, 'this node id comes a second time, and the last one counts', 'remove one')
  }
  if (!whole) return undefined
  const workflow = { text: report.text, body, nodes }
  return hasSoundNumbers(workflow, report) ? workflow : undefined
}

/** The id of the node an input is linked to, or `undefined` if it is not linked. */
export function linkOf(text: string, node: JsonNode): string | undefined {
  if (node.kind !== 'list' || node.items.length !== 2) return undefined
  const value = valueAt(text, node)
  return isLink(value) ? value[0] : undefined
}

/** Names a node so that a person can find it: `node "6" (CLIPTextEncode, "Positive")`. */
export function nameOf({ id, classType, title }: NodeText): string {
  return `node "${id}" (${title === undefined ? classType : `${classType}, "${title}"`})`
}

function bodyOf(root: JsonNode, report: Reporter): JsonObject | undefined {
  const body = unwrap(root, memberOf)
  if (body.kind === 'string') {
    const fix = 'write its nodes as JSON, without quotes around them'
    report.error(body.start, 'the workflow is a text in JSON', fix)
    return undefined
  }
  if (body.kind !== 'object') {
    report.error(body.start, 'a workflow is an object of nodes', 'export it again from ComfyUI')
    return undefined
  }
  if (isEditorText(body)) {
    const fix =
      'convert it with "ftl workflows init FILE --comfyui URL", or export it with "File → Export (API)" and use that file'
    report.error(body.start, 'this is the format of the ComfyUI editor', fix)
    return undefined
  }
  return body
}

/** Whether a file is what the editor saves, instead of what it exports. */
export function isEditorText(root: JsonNode): boolean {
  return root.kind === 'object' && root.members.get('nodes')?.kind === 'list'
}

function memberOf(value: JsonNode, name: string): JsonNode | undefined {
  const member = value.kind === 'object' ? value.members.get(name) : undefined
  if (member?.kind === 'string') return member
  return member?.kind === 'object' && !member.members.has('class_type') ? member : undefined
}

function readNode(id: string, node: JsonNode, report: Reporter): NodeText | undefined {
  const { text } = report
  const again = 'export the workflow again with "File → Export (API)"'
  if (node.kind !== 'object') {
    report.error(node.start, `node "${id}" must be an object`, again)
    return undefined
  }
  const classType = node.members.get('class_type')
  if (classType?.kind !== 'string') {
    report.error(node.start, `node "${id}" has no "class_type"`, again)
    return undefined
  }
  const inputs = node.members.get('inputs')
  if (inputs && inputs.kind !== 'object') {
    report.error(inputs.start, `"inputs" of node "${id}" must be an object`, again)
    return undefined
  }
  for (const { at } of inputs?.repeated ?? []) {
    report.warn(at, 'this input comes a second time, and the last one counts', 'remove one')
  }
  const meta = node.members.get('_meta')
  const title = meta?.kind === 'object' ? meta.members.get('title') : undefined
  return {
    id,
    classType: valueAt(text, classType) as string,
    ...(title?.kind === 'string' && { title: valueAt(text, title) as string }),
    inputs: inputs?.members ?? new Map<string, JsonNode>(),
    firstInputAt: inputs && inputs.start + 1,
    start: node.start,
    end: node.end,
  }
}

/** Every number must be one that ComfyUI can read. */
function hasSoundNumbers({ text, nodes }: WorkflowText, report: Reporter): boolean {
  let sound = true
  for (const node of nodes.values()) {
    for (const [name, input] of node.inputs) {
      if (input.kind === 'number' && isTooLarge(name, text.slice(input.start, input.end))) {
        const message = `"${name}" of ${nameOf(node)} is larger than any number ComfyUI takes`
        report.error(input.start, message, `use at most ${MAX_INT}`)
        sound = false
      }
    }
  }
  return sound
}

/** Only seeds are known to be integers. Any other input may be a FLOAT, which has no such limit. */
function isTooLarge(name: string, literal: string): boolean {
  if (!Number.isFinite(Number(literal))) return true
  return /seed/i.test(name) && /^-?\d{19,}$/.test(literal) && BigInt(literal) > MAX_INT
}
