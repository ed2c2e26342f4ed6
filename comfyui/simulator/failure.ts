/** Describes a failed node in the way ComfyUI reports it. */
import { NodeFailure } from './nodes/definition.ts'
import { isLink } from './prompt.ts'

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
