/** Contents of the events that a running prompt sends: the progress of its nodes, and the failure of one. */
import { NodeFailure } from './nodes/definition.ts'
import { isLink } from './prompt.ts'

/** Sends one event; without a client id, to all clients. */
export type Emit = (type: string, data: Record<string, unknown>, clientId?: string) => void

/** The `progress_state` event: a snapshot of every node that has begun, sent at each change. */
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

/** The exception fields of `execution_error`, including a traceback with server paths, as ComfyUI sends them. */
export function describeFailure(
  error: unknown,
  inputs: Record<string, unknown>,
): Record<string, unknown> {
  const { message, exceptionType, frames } =
    error instanceof NodeFailure ? error : unforeseen(error)
  return {
    exception_message: message,
    exception_type: exceptionType,
    traceback: [
      '  File "/comfyui/execution.py", line 545, in execute\n    await get_output_data()\n',
      ...frames,
    ],
    current_inputs: Object.fromEntries(
      Object.entries(inputs).map(([name, value]) => [
        name,
        [isLink(value) ? '(linked value)' : value],
      ]),
    ),
  }
}

export function outOfMemory(): NodeFailure {
  const text = 'Allocation on device 0 would exceed allowed memory. (out of memory)\n'
  return new NodeFailure('torch.OutOfMemoryError', text, [
    '  File "/comfyui/nodes.py", line 1, in run\n    allocate()\n',
  ])
}

function unforeseen(error: unknown): NodeFailure {
  const text = error instanceof Error ? error.message : 'failed'
  return new NodeFailure('RuntimeError', `${text}\n`, [])
}
