/** The `progress_state` event: a snapshot of every node that has begun, sent at each change. */
import type { Emit } from './execute.ts'

export class ProgressBoard {
  readonly #nodes: Record<string, Record<string, unknown> & { max: number }> = {}
  readonly #promptId: string
  readonly #emit: Emit
  readonly #clientId: string | undefined

  constructor(promptId: string, emit: Emit, clientId: string | undefined) {
    this.#promptId = promptId
    this.#emit = emit
    this.#clientId = clientId
  }

  set(node: string, value: number, max: number, state: 'running' | 'finished'): void {
    this.#nodes[node] = {
      value,
      max,
      state,
      node_id: node,
      prompt_id: this.#promptId,
      display_node_id: node,
      parent_node_id: null,
      real_node_id: node,
    }
    if (this.#clientId === undefined) return
    const data = { prompt_id: this.#promptId, nodes: { ...this.#nodes } }
    this.#emit('progress_state', data, this.#clientId)
  }

  /** Completes a node at the maximum it reported last. */
  finish(node: string): void {
    const max = this.#nodes[node]?.max ?? 1
    this.set(node, max, max, 'finished')
  }
}
