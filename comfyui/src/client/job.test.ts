import { expect, it } from 'vitest'
import { fromHistory, fromJobView } from './job.ts'

function failed(exception_type: string, exception_message: string) {
  const event = { node_id: '3', node_type: 'KSampler', exception_type, exception_message }
  const traceback = ['  File "/home/me/ComfyUI/execution.py", line 1, in f\n']
  return {
    status: 'failed',
    execution_status: {
      status_str: 'error',
      completed: false,
      messages: [
        ['execution_start', {}],
        ['execution_error', { ...event, traceback, current_inputs: { text: ['secret'] } }],
      ],
    },
  }
}

it.each([
  ['RuntimeError', 'Allocation on device 0 would exceed allowed memory.'],
  ['torch.cuda.OutOfMemoryError', 'CUDA out of memory. Tried to allocate 2.00 GiB.'],
  ['RuntimeError', 'MPS backend out of memory (MPS allocated: 9.05 GB)'],
  [
    'RuntimeError',
    "[enforce fail at alloc_cpu.cpp:117] DefaultCPUAllocator: can't allocate memory",
  ],
  ['MemoryError', ''],
])('knows that memory ran out from %s: %s', (type, message) => {
  const { error } = fromJobView(failed(type, message))
  expect([error?.kind, error?.message]).toEqual([
    'out_of_memory',
    'The ComfyUI server ran out of memory.',
  ])
})

it('does not take every word of memory for the end of it', () => {
  const { error } = fromJobView(failed('ValueError', 'memory_format must be given'))
  expect(error?.kind).toBe('execution_failed')
})

it('shows neither traceback nor paths nor inputs of what failed', () => {
  const { error } = fromJobView(
    failed('FileNotFoundError', "No such file: '/home/me/ComfyUI/models/vae/a.pt'\n  at line 3"),
  )
  expect(error?.message).toBe("Node 3 (KSampler) failed: No such file: 'a.pt'")
  expect(JSON.stringify(error?.details)).not.toMatch(/home|secret|execution/)
})

it('tells an interrupted job from a failed one on servers that do not', () => {
  const messages = [['execution_interrupted', { prompt_id: 'x' }]]
  const status = { status_str: 'error', completed: false, messages }
  expect(fromHistory({ status, outputs: {} }).status).toBe('cancelled')
  // `failed` before version 0.9.
  const view = { status: 'failed', execution_status: status }
  expect(fromJobView(view)).toMatchObject({ status: 'cancelled', error: { kind: 'interrupted' } })
})

const completed = (outputs: object, messages: unknown[] = []) =>
  fromJobView({
    status: 'completed',
    outputs,
    execution_status: { status_str: 'success', messages },
  })
const images = (count: number, type: string) =>
  Array.from({ length: count }, (_, place) => ({ filename: `${place}.png`, subfolder: '', type }))

it('lists kept files first, and of very many the first ones, with a sentence about the others', () => {
  const { files, texts } = completed({
    8: { images: images(3000, 'temp') },
    9: { images: images(2500, 'output') },
  })
  expect(files).toHaveLength(2000)
  expect(files[0]).toMatchObject({ filename: '0.png', type: 'output', nodeId: '9' })
  expect(files.filter(({ type }) => type === 'output')).toHaveLength(1000)
  expect(texts).toEqual([expect.stringContaining('the first 1000 of 2500 files')])
  const few = completed({ 8: { images: images(3000, 'temp') }, 9: { images: images(2, 'output') } })
  expect(few.texts).toEqual([])
})

it('cuts texts that would be too large for the record of a job', () => {
  const { texts } = completed({ 1: { text: ['x'.repeat(60_000), 'more'] } })
  expect(texts).toEqual([`${'x'.repeat(49_999)}…`])
  expect(completed({ 1: { text: Array(1_000_000).fill('') } }).texts).toHaveLength(1000)
})

it('names each cached node once', () => {
  const nodes = Array(100_000).fill('9')
  expect(completed({}, [['execution_cached', { nodes }]]).cachedNodes).toEqual(['9'])
})
