/** The nodes of a prompt: the order they run in, and which two compute the same result. */
import { createHash } from 'node:crypto'
import { NODES } from './nodes/catalog.ts'
import { isLink, type Prompt } from './prompt.ts'

/** Ids of the nodes an input of `id` is linked to. */
export function sourcesOf(prompt: Prompt, id: string): string[] {
  return Object.values(prompt[id]?.inputs ?? {})
    .filter(isLink)
    .map(([source]) => source)
}

/** The nodes the outputs need, outputs first; what is cached needs nothing. */
export function neededNodes(
  prompt: Prompt,
  outputs: readonly string[],
  cached: (id: string) => boolean,
): string[] {
  const needed = new Set<string>()
  for (const output of outputs) {
    const stack = [output]
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (needed.has(id)) continue
      needed.add(id)
      if (!cached(id)) stack.push(...sourcesOf(prompt, id).filter((source) => !cached(source)))
    }
  }
  return [...needed]
}

/**
 * The next node to run: an output that is ready, else what leads to an output in the fewest steps, so that
 * people see something early.
 */
export function nextNode(prompt: Prompt, waiting: readonly string[]): string | undefined {
  const ready = waiting.filter(
    (id) => !sourcesOf(prompt, id).some((source) => waiting.includes(source)),
  )
  const isOutput = (id: string) => NODES.get(prompt[id]?.class_type ?? '')?.outputNode === true
  const followers = (id: string) => waiting.filter((other) => sourcesOf(prompt, other).includes(id))
  return (
    ready.find(isOutput) ??
    ready.find((id) => followers(id).some(isOutput)) ??
    ready.find((id) => followers(id).some((next) => followers(next).some(isOutput))) ??
    ready[0]
  )
}

/**
 * A server keeps the result of a node for the next prompt that has a node with the same signature.
 *
 * @returns the signature of a node: class, literals and, recursively, what is linked. Each is worked out once, and is
 *   short, since the nodes of a long chain contain each other.
 */
export function signer(prompt: Prompt): (id: string) => string {
  const known = new Map<string, string>()

  function signature(id: string): string {
    const old = known.get(id)
    if (old !== undefined) return old
    const node = prompt[id]
    const sources = sourcesOf(prompt, id)
    const inputs = Object.entries(node?.inputs ?? {}).map(([name, value]) => [
      name,
      isLink(value) && sources.includes(value[0]) ? [signature(value[0]), value[1]] : value,
    ])
    const text = JSON.stringify([node?.class_type, inputs])
    const made = createHash('sha256').update(text).digest('base64')
    known.set(id, made)
    return made
  }

  return signature
}
