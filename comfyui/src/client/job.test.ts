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

it('names the variable of the account key where a paid node asks for it', () => {
  const said = 'Unauthorized: Please login first to use this node.'
  const { error } = fromJobView(failed('Exception', said))
  expect(error).toMatchObject({
    kind: 'unauthorized',
    message: expect.stringMatching(/login first to use this node: .* comfyui_api_key /) as string,
  })
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
  expect(texts).toEqual([
    `${'x'.repeat(50_000)}… (10000 more characters left out)`,
    '(more texts were left out)',
  ])
  const many = completed({ 1: { text: Array(1_000_000).fill('') } }).texts
  expect(many).toHaveLength(1001)
})

it('shows what text nodes show, under any of their keys', () => {
  const { texts, files } = completed({
    1: { tags: ['1girl, solo'] },
    2: { string: ['a'], value: [3], text: [7, 1.5, true] },
    3: { text: [['b', ['c']]] },
    4: { images: [{ filename: 'a.png', subfolder: '', type: 'temp' }], animated: [true] },
  })
  expect(texts).toEqual(['1girl, solo', 'a', '3', '7', '1.5', 'true', 'b', 'c'])
  expect(files).toHaveLength(1)
})

it('shows the values of an unknown key if there is nothing else, and no flags', () => {
  expect(completed({ 1: { answer: ['yes', null], animated: [false] } }).texts).toEqual(['yes'])
  expect(completed({ 1: { answer: ['yes'], text: ['no'] } }).texts).toEqual(['no'])
  expect(completed({ 1: { animated: [false] } }).texts).toEqual([])
})

it('finds the files of 3D nodes, in the history and in /jobs, with their folder', () => {
  const found = { filename: 'm_00001_.glb', subfolder: '3d/a', type: 'output' }
  const status = { status_str: 'success', messages: [] }
  for (const outputs of [
    { 1: { result: ['3d/a/m_00001_.glb', null] } },
    { 1: { model_file: ['3d\\a\\m_00001_.glb'] } },
    { 1: { result: [{ filename: '3d/a/m_00001_.glb', subfolder: '', type: 'output' }] } },
    { 1: { '3d': [{ filename: 'a/m_00001_.glb', subfolder: '3d', type: 'output' }] } },
  ]) {
    expect(fromHistory({ status, outputs }).files).toMatchObject([found])
    expect(completed(outputs).files).toMatchObject([found])
  }
  expect(completed({ 1: { text: ['see model.glb'] } })).toMatchObject({ files: [] })
})

it('cuts a printed tensor, and says how much is missing', () => {
  const numbers = `tensor([[[[${'0.1, '.repeat(5_000)}]]]])`
  const { texts } = completed({ 1: { text: [numbers, `{'samples': ${numbers}`, 'a tensor([x])'] } })
  expect(texts.map(({ length }) => length < 360)).toEqual([true, true, true])
  expect(texts[0]).toMatch(/^tensor\(\[\[.*… \(24716 more characters left out\)$/)
  expect(texts[2]).toBe('a tensor([x])')
})

it('names each cached node once', () => {
  const nodes = Array(100_000).fill('9')
  expect(completed({}, [['execution_cached', { nodes }]]).cachedNodes).toEqual(['9'])
})
