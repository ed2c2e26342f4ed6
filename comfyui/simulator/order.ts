/** In which order a prompt's nodes run. */
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
