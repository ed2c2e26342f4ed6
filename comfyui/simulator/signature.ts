/** When two nodes make the same: a server keeps what it computed for the next prompt. */
import { createHash } from 'node:crypto'
import { sourcesOf } from './order.ts'
import { isLink, type Prompt } from './prompt.ts'

/**
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
