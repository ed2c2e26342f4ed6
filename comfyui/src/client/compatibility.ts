/** Whether a server has what a workflow needs. */
import { asObject } from 'ftl-contract'
import { asText, type Json } from './narrow.ts'
import { hasStandIn } from './editor-views.ts'
import { neededNodes } from './needed.ts'
import {
  activeInputs,
  inputsOf,
  isAskedFor,
  isLink,
  type NodeClass,
  type NodeInput,
  unwrapped,
} from './nodes.ts'
import { isModelFile } from './refusal.ts'
import { shownName } from './missing.ts'
import { lacksChoice, linkProblem, typeProblem } from './type-checks.ts'

export interface MissingModel {
  nodeId: string
  nodeType: string
  inputName: string
  /** As the workflow names it, for example `sd15/x.safetensors`. */
  file: string
  /** What the server has for this input. */
  available: unknown[]
}

export interface Compatibility {
  /** Nothing is missing. */
  compatible: boolean
  /** Classes, each once. */
  missingNodes: string[]
  missingModels: MissingModel[]
  /**
   * Inputs that do not take their link or value, in words. The server may accept them, because a node can have a check of
   * its own, which its description does not show.
   */
  mismatches: string[]
}

/** Of a server that describes its nodes in another way, every input would be one. */
const MAX_MISMATCHES = 20

/** @param classes what the server has, by name. */
export function compare(
  workflow: Json,
  classes: Readonly<Record<string, NodeClass>>,
): Compatibility {
  const missingNodes = new Set<string>()
  const missingModels: MissingModel[] = []
  const mismatches: string[] = []
  const typeOf = (id: string) => asText(asObject(workflow[id]).class_type) ?? ''
  const classOf = (id: string) => {
    const nodeType = typeOf(id)
    return Object.hasOwn(classes, nodeType) ? classes[nodeType] : undefined
  }
  const linksOf = (id: string) =>
    Object.values(inputsOf(workflow[id])).flatMap((value) => (isLink(value) ? [value[0]] : []))
  const needed = neededNodes(Object.keys(workflow), (id) => classOf(id)?.isOutput === true, linksOf)
  for (const [nodeId, node] of Object.entries(workflow)) {
    const nodeType = typeOf(nodeId)
    const known = classOf(nodeId)
    if (!known) {
      missingNodes.add(nodeType)
      continue
    }
    if (!needed.has(nodeId)) continue
    const values = inputsOf(node)
    const active = activeInputs(known, (name) =>
      Object.hasOwn(values, name) ? unwrapped(values[name]) : undefined,
    )
    const mismatch = (inputName: string, problem: string) => {
      if (mismatches.length < MAX_MISMATCHES) {
        mismatches.push(`"${shownName(inputName)}" of ${named(nodeId, nodeType)} ${problem}.`)
      }
    }
    for (const [inputName, input] of active) {
      const isGiven = Object.hasOwn(values, inputName) || hasStandIn(nodeType, inputName)
      if (isAskedFor(input) && !isGiven) mismatch(inputName, 'is missing')
    }
    for (const [inputName, literal] of Object.entries(values)) {
      const input = active.get(inputName)
      if (!input) continue
      if (isLink(literal)) {
        const [source, slot] = literal
        if (!Object.hasOwn(workflow, source)) {
          mismatch(inputName, `is linked to node ${shownName(source)}, which is not there`)
        }
        const { outputs } = classOf(source) ?? {}
        const problem = outputs && linkProblem(input, slot, outputs, named(source, typeOf(source)))
        if (problem !== undefined) mismatch(inputName, problem)
        continue
      }
      const value = unwrapped(literal)
      if (isMissingFile(value, input)) {
        const { choices: available = [] } = input
        missingModels.push({ nodeId, nodeType, inputName, file: value, available })
      } else {
        const problem = typeProblem(input, value) ?? choiceProblem(input, value)
        if (problem !== undefined) mismatch(inputName, `is ${shown(value)}; it ${problem}`)
      }
    }
  }
  const compatible = missingNodes.size === 0 && missingModels.length === 0
  return { compatible, missingNodes: [...missingNodes], missingModels, mismatches }
}

function isMissingFile(value: unknown, input: NodeInput): value is string {
  if (typeof value !== 'string' || !lacksChoice(input, value)) return false
  // An empty list of choices is one of files as well: nothing else would be offered without any.
  return isModelFile(value) || input.choices?.length === 0
}

function choiceProblem(input: NodeInput, value: unknown) {
  if ((input.multiple && Array.isArray(value)) || !lacksChoice(input, value)) return
  return 'must be one of the choices that the server has'
}

function named(id: string, nodeType: string): string {
  return `node ${shownName(id)} (${shownName(nodeType)})`
}

function shown(value: unknown): string {
  return shownName(JSON.stringify(value) ?? 'undefined').replaceAll("'", '"')
}
