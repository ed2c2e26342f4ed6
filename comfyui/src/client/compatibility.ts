/** Whether a server has what a workflow needs. */
import { asRecord, asText, type Json } from './json.ts'
import { literalsOf, type NodeClass } from './nodes.ts'
import { isModelFile } from './refusal.ts'

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
  compatible: boolean
  /** Classes, each once. */
  missingNodes: string[]
  missingModels: MissingModel[]
}

/** @param classes what the server has, by name. */
export function compare(
  workflow: Json,
  classes: Readonly<Record<string, NodeClass>>,
): Compatibility {
  const missingNodes = new Set<string>()
  const missingModels: MissingModel[] = []
  for (const [nodeId, node] of Object.entries(workflow)) {
    const nodeType = asText(asRecord(node).class_type) ?? ''
    const known = Object.hasOwn(classes, nodeType) ? classes[nodeType] : undefined
    if (!known) {
      missingNodes.add(nodeType)
      continue
    }
    for (const [inputName, file] of literalsOf(node)) {
      const input = Object.hasOwn(known.inputs, inputName) ? known.inputs[inputName] : undefined
      const choices = input?.choices
      // What is uploaded for a job is not there before it.
      if (!choices || input.upload || typeof file !== 'string' || choices.includes(file)) continue
      // An empty list of choices is one of files as well: nothing else would be offered without any.
      if (isModelFile(file) || choices.length === 0) {
        missingModels.push({ nodeId, nodeType, inputName, file, available: choices })
      }
    }
  }
  const compatible = missingNodes.size === 0 && missingModels.length === 0
  return { compatible, missingNodes: [...missingNodes], missingModels }
}
