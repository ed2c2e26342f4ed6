/**
 * Makes several images in one job, each with its own seed.
 *
 * A batch in the latent node would share one seed, and a single image of a batch cannot be made again. So the nodes
 * that depend on the seed are repeated for each image; loaders and text encoders are shared.
 */
import type { Workflow } from 'ftl-comfyui/workflow'
import type { Target } from './targets.ts'

export interface Varied {
  workflow: Workflow
  /** Nodes of the result, in the order of the seeds. */
  outputs: string[]
}

/**
 * @param seedTargets where the seed goes; the nodes there and all that depend on them are repeated.
 * @param outputs nodes of the result; empty = the repeated nodes that no other node uses.
 */
export function withSeeds(
  workflow: Workflow,
  seedTargets: readonly Target[],
  seeds: readonly number[],
  outputs: readonly string[],
): Varied {
  const dependent = dependents(workflow, seedTargets)
  const results = outputs.length > 0 ? outputs : leaves(workflow, dependent)
  const varied: Workflow = { ...workflow }
  const all: string[] = []
  seeds.forEach((seed, index) => {
    const rename = (id: string) =>
      index > 0 && dependent.has(id) ? freshId(workflow, id, index) : id
    for (const id of dependent) {
      const node = workflow[id]
      if (!node) continue
      const inputs = Object.entries(node.inputs).map(([name, value]) => [
        name,
        isLink(value) ? [rename(value[0]), value[1]] : value,
      ])
      const copy = { ...node, inputs: Object.fromEntries(inputs) as Record<string, unknown> }
      for (const target of seedTargets) if (target.node === id) copy.inputs[target.input] = seed
      varied[rename(id)] = copy
    }
    // A result that does not depend on the seed is always the same, so it is added once.
    for (const id of results) if (index === 0 || dependent.has(id)) all.push(rename(id))
  })
  return { workflow: varied, outputs: seeds.length > 1 ? all : [...outputs] }
}

function dependents(workflow: Workflow, from: readonly Target[]): Set<string> {
  const found = new Set(from.map(({ node }) => node))
  // Iteration of a set includes items that are added meanwhile.
  for (const source of found) {
    for (const [id, { inputs }] of Object.entries(workflow)) {
      if (Object.values(inputs).some((value) => isLink(value) && value[0] === source)) found.add(id)
    }
  }
  return found
}

function leaves(workflow: Workflow, among: Set<string>): string[] {
  const used = new Set(
    Object.values(workflow).flatMap(({ inputs }) =>
      Object.values(inputs).flatMap((value) => (isLink(value) ? [value[0]] : [])),
    ),
  )
  return [...among].filter((id) => !used.has(id))
}

function freshId(workflow: Workflow, id: string, index: number): string {
  let fresh = `${id}_${index + 1}`
  while (Object.hasOwn(workflow, fresh)) fresh += '_'
  return fresh
}

function isLink(value: unknown): value is [string, number] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string'
}
