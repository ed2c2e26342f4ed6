/** A workflow against what a server says of its node classes. */
import { hasStandIn } from '../client/editor-views.ts'
import { neededNodes, writesResult } from '../client/needed.ts'
import {
  activeInputs,
  isAskedFor,
  type NodeClass,
  type NodeInput,
  unwrapped,
} from '../client/nodes.ts'
import { isModelFile } from '../client/refusal.ts'
import { hasChoice, lacksChoice, linkProblem, typeProblem } from '../client/type-checks.ts'
import { alikeFirst } from './alike.ts'
import { checkEditorViews } from './editor-views.ts'
import type { Reporter } from './finding.ts'
import { type JsonNode, valueAt } from './json-text.ts'
import type { Target } from './targets.ts'
import { linkOf, nameOf, type NodeText, type WorkflowText } from './workflow-text.ts'

/** By class name, as `toNodeClass` reads `object_info`. */
export type NodeClasses = Readonly<Record<string, NodeClass>>

/**
 * What ComfyUI would refuse. Of a node that no output depends on, it only asks for the class.
 *
 * @param replaced inputs with a value that is never sent.
 */
export function checkNodes(
  workflow: WorkflowText,
  classes: NodeClasses | undefined,
  report: Reporter,
  replaced: readonly Pick<Target, 'nodeId' | 'inputName'>[] = [],
): void {
  const { nodes, body } = workflow
  const all = [...nodes.values()]
  const classOf = ({ classType }: NodeText) =>
    classes && Object.hasOwn(classes, classType) ? classes[classType] : undefined
  const isOutput = (node: NodeText | undefined) =>
    node !== undefined &&
    (classes ? classOf(node)?.isOutput : writesResult(node.classType)) === true
  if (!all.some(isOutput)) {
    const fix = 'add a "Save Image" node, or the one for what it makes'
    const say = classes ? report.error : report.warn
    say(body.start, 'no node of the workflow writes a result, and ComfyUI refuses such a one', fix)
  }
  const needed = neededNodes(
    nodes.keys(),
    (id) => isOutput(nodes.get(id)),
    (id) => linksOf(workflow, nodes.get(id)).map(([, source]) => source),
  )
  checkLinks(workflow, needed, classes !== undefined, report)
  checkEditorViews(workflow, needed, report, (node) => classOf(node)?.outputs)
  if (!classes) return
  for (const node of all) {
    const known = classOf(node)
    if (known && !needed.has(node.id)) continue
    if (known) checkInputs(node, known, { workflow, classes, report, replaced })
    else {
      const fix = 'install the node pack it belongs to, or use another node'
      report.error(
        node.start,
        `the server has no node "${node.classType}" (node "${node.id}")`,
        fix,
      )
    }
  }
}

function linksOf({ text }: WorkflowText, node: NodeText | undefined): [JsonNode, string, string][] {
  return [...(node?.inputs ?? [])].flatMap(([name, json]): [JsonNode, string, string][] => {
    const source = linkOf(text, json)
    return source === undefined ? [] : [[json, source, name]]
  })
}

/** @param isCertain whether a server said which nodes write a result. */
function checkLinks(
  workflow: WorkflowText,
  needed: ReadonlySet<string>,
  isCertain: boolean,
  report: Reporter,
): void {
  const fix = 'export the workflow again, or link it to another node'
  for (const node of workflow.nodes.values()) {
    for (const [{ start }, source, name] of linksOf(workflow, node)) {
      if (workflow.nodes.has(source) || (isCertain && !needed.has(node.id))) continue
      const message = `"${name}" of ${nameOf(node)} is linked to node "${source}", which is not there`
      if (needed.has(node.id)) report.error(start, message, fix)
      else report.warn(start, `${message}; no output depends on it`, fix)
    }
  }
}

/** How a value that is not one of the choices is reported; not at all if it is, or if the server may take it. */
export function sayOf(
  input: NodeInput,
  value: unknown,
  report: Reporter,
): Reporter['error'] | undefined {
  if (lacksChoice(input, value)) return report.error
  const { inputsByChoice, choices = [] } = input
  return inputsByChoice && !hasChoice(choices, value) ? report.warn : undefined
}

interface Checked {
  workflow: WorkflowText
  classes: NodeClasses
  report: Reporter
  replaced: readonly Pick<Target, 'nodeId' | 'inputName'>[]
}

function checkInputs(node: NodeText, known: NodeClass, checked: Checked): void {
  const { workflow, report, replaced } = checked
  const { text } = workflow
  const inputs = inputsOf(node, known, workflow)
  for (const [name, input] of inputs) {
    if (node.inputs.has(name)) continue
    if (input.required && input.inputsByChoice) {
      const fix = 'choose one in ComfyUI, and export the workflow again'
      report.warn(node.start, `"${name}" of ${nameOf(node)} is missing, and the node may fail`, fix)
    }
    if (!isAskedFor(input) || hasStandIn(node.classType, name)) continue
    const fix = 'connect it or give it a value in ComfyUI, and export the workflow again'
    report.error(node.start, `"${name}" of ${nameOf(node)} is missing`, fix)
  }
  for (const [name, json] of node.inputs) {
    const input = inputs.get(name)
    if (!input) continue
    const place = `"${name}" of ${nameOf(node)}`
    if (linkOf(text, json) !== undefined) {
      checkLink(input, json, place, checked)
      continue
    }
    if (replaced.some(({ nodeId, inputName }) => nodeId === node.id && inputName === name)) continue
    const value = unwrapped(valueAt(text, json))
    const { min, max, choices, upload, multiple } = input
    const problem = typeProblem(input, value)
    if (problem !== undefined) {
      const fix = 'change it in ComfyUI, and export the workflow again'
      report.error(json.start, `${place} is ${short(value)}; it ${problem}`, fix)
    } else if (typeof value === 'number' && /^(?:INT|FLOAT)$/.test(input.type)) {
      if (min !== undefined && value < min) {
        report.error(json.start, `${place} is smaller than ${min}`, `use at least ${min}`)
      }
      if (max !== undefined && value > max) {
        report.error(json.start, `${place} is larger than ${max}`, `use at most ${max}`)
      }
    } else if (choices && !upload) {
      const chosen: unknown[] = multiple && Array.isArray(value) ? value : [value]
      for (const choice of chosen) {
        const say = sayOf(input, choice, report)
        if (!say) continue
        const missing = isModelFile(choice) ? 'the server does not have' : 'there is no choice'
        const message = `${place}: ${missing} ${short(choice)}`
        say(json.start, message, `use one of ${listed(choices, choice)}`)
      }
    }
  }
}

function checkLink(
  input: NodeInput,
  json: JsonNode,
  place: string,
  { workflow, classes, report }: Checked,
): void {
  const [id, slot] = valueAt(workflow.text, json) as [string, number]
  const source = workflow.nodes.get(id)
  // A link to a node that is not there, and a class that the server does not have, are reported elsewhere.
  if (!source || !Object.hasOwn(classes, source.classType)) return
  const { outputs } = classes[source.classType] ?? { outputs: [] }
  const problem = linkProblem(input, slot, outputs, nameOf(source))
  if (problem === undefined) return
  const fix = 'link it to another output in ComfyUI, and export the workflow again'
  report.error(json.start, `${place} ${problem}`, fix)
}

/** The inputs the node has with its values: some exist only with a certain value of another. */
export function inputsOf(
  node: NodeText,
  known: NodeClass,
  { text }: WorkflowText,
): Map<string, NodeInput> {
  return activeInputs(known, (name) => {
    const json = node.inputs.get(name)
    return json && unwrapped(valueAt(text, json))
  })
}

export function listed(choices: readonly unknown[], wanted: unknown): string {
  const shown = alikeFirst(choices, wanted).slice(0, 8).map(short)
  if (shown.length === 0) return 'those the server will have: it has none now'
  return choices.length > shown.length ? `${shown.join(', ')} …` : shown.join(', ')
}

/** Characters of one value in a message: names of models may be long, and a choice may be an object. */
const MAX_VALUE_LENGTH = 80

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
}
