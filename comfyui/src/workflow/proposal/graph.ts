/** A workflow with what leads where, and what a server says of its inputs. */
import { activeInputs, type NodeInput, unwrapped } from '../../client/nodes.ts'
import { valueAt } from '../json-text.ts'
import type { NodeClasses } from '../node-checks.ts'
import { linkOf, type NodeText, type WorkflowText } from '../workflow-text.ts'

/** An input that an output of another node is linked to. */
export interface Consumer {
  node: NodeText
  inputName: string
  /** Which output. */
  slot: number
}

export interface Graph {
  workflow: WorkflowText
  consumersOf: (id: string) => readonly Consumer[]
  /** What the server says; `undefined` without a server, and for a class or an input that it does not have. */
  inputOf: (node: NodeText, inputName: string) => NodeInput | undefined
  /** Type of an output; `undefined` if it is not known. */
  outputOf: (node: NodeText, slot: number) => string | undefined
}

export function toGraph(workflow: WorkflowText, classes: NodeClasses = {}): Graph {
  const { text, nodes } = workflow
  const consumers = new Map<string, Consumer[]>()
  for (const node of nodes.values()) {
    for (const [inputName, json] of node.inputs) {
      const from = linkOf(text, json)
      if (from === undefined) continue
      const [, slot] = valueAt(text, json) as [string, number]
      consumers.set(from, [...(consumers.get(from) ?? []), { node, inputName, slot }])
    }
  }
  const classOf = ({ classType }: NodeText) =>
    Object.hasOwn(classes, classType) ? classes[classType] : undefined
  const inputs = new Map<string, ReadonlyMap<string, NodeInput>>()
  const inputsOf = (node: NodeText): ReadonlyMap<string, NodeInput> => {
    const known = classOf(node)
    const found =
      inputs.get(node.id) ??
      (known
        ? activeInputs(known, (name) => {
            const json = node.inputs.get(name)
            return json && unwrapped(valueAt(text, json))
          })
        : new Map<string, NodeInput>())
    inputs.set(node.id, found)
    return found
  }
  return {
    workflow,
    consumersOf: (id) => consumers.get(id) ?? [],
    inputOf: (node, inputName) => inputsOf(node).get(inputName),
    outputOf: (node, slot) => classOf(node)?.outputs[slot],
  }
}
