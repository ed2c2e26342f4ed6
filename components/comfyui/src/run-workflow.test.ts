import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { machine, type MachineOptions, SWITCHED_ON, textOf, WORKFLOW } from './testing/machine.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ port: 0, renderSeconds: 0 })
})
afterAll(() => simulator.close())

/** WORKFLOW as the editor saves it, with a reroute. */
const EDITOR = {
  nodes: [
    { id: 1, type: 'EmptyImage', widgets_values: [8, 8, 1, 255], outputs: [{ type: 'IMAGE' }] },
    { id: 9, type: 'Reroute', inputs: [{ name: '', type: '*', link: 1 }] },
    {
      id: 2,
      type: 'SaveImage',
      inputs: [{ name: 'images', type: 'IMAGE', link: 2 }],
      widgets_values: ['x'],
    },
  ],
  links: [
    [1, 1, 0, 9, 0, 'IMAGE'],
    [2, 9, 0, 2, 0, 'IMAGE'],
  ],
}

describe('run_workflow', () => {
  const open = (options: MachineOptions = {}) =>
    machine(simulator.url, { variables: SWITCHED_ON, ...options })

  it('runs a workflow and returns its files', async () => {
    const on = open()
    const { id } = await on.start('run_workflow', { workflow: WORKFLOW })
    await expect.poll(async () => (await on.look(id)).status, { timeout: 8000 }).toBe('completed')
    const { result } = await on.look(id)
    expect(result?.structuredContent).toEqual({
      outputs: [{ url: `/outputs/${id}.png`, mimeType: 'image/png' }],
    })
  })

  it.each([
    ['as JSON text', JSON.stringify(WORKFLOW)],
    ['as the editor saves it', EDITOR],
    ['as the JSON text of the editor', JSON.stringify(EDITOR)],
    ['in a wrapper', { output: WORKFLOW, workflow: { nodes: [], links: [] } }],
  ])('runs a workflow %s', async (_, workflow) => {
    const on = open()
    const { id } = await on.start('run_workflow', { workflow })
    await expect.poll(async () => (await on.look(id)).status, { timeout: 8000 }).toBe('completed')
  })

  it('runs a workflow with nodes that no output depends on, whatever they lack', async () => {
    const on = open()
    const { id } = await on.start('run_workflow', {
      workflow: {
        ...WORKFLOW,
        '7': { class_type: 'ImageScale', inputs: { image: ['99', 0] } },
        '8': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'nope.safetensors' } },
      },
    })
    await expect.poll(async () => (await on.look(id)).status, { timeout: 8000 }).toBe('completed')
    expect((await on.look(id)).result?.structuredContent).not.toHaveProperty('leftOut')
  })

  it('tells the caller which nodes ComfyUI refused when it runs the rest', async () => {
    const on = open()
    const { id } = await on.start('run_workflow', {
      workflow: {
        ...WORKFLOW,
        '3': { class_type: 'LoadImage', inputs: { image: 'absent.png' } },
        '4': { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'y' } },
      },
    })
    await expect.poll(async () => (await on.look(id)).status, { timeout: 8000 }).toBe('completed')
    const { result } = await on.look(id)
    expect(result?.structuredContent).toEqual({
      outputs: [{ url: `/outputs/${id}.png`, mimeType: 'image/png' }],
      leftOut: [
        {
          node: '3',
          class: 'LoadImage',
          message: expect.stringContaining('Invalid image file: absent.png') as unknown,
        },
      ],
      leftOutTotal: 1,
    })
    const shown = result ? textOf(result) : ''
    expect(shown).toMatch(/ComfyUI refused a node.*\nNode 3 \(LoadImage\): .*absent\.png/)
  })

  it('lists some of very many refused nodes, each shortened and without paths', async () => {
    const refused = (at: number) => ({
      class_type: 'LoadImage',
      errors: [
        {
          type: 'custom_validation_failed',
          message: 'Custom validation failed for node',
          details: `image - Invalid image file: /home/ann/${'x'.repeat(5_000)}${at}`,
          extra_info: { input_name: 'image' },
        },
      ],
    })
    const network: typeof fetch = async (input, init) => {
      if (!new Request(input).url.endsWith('/prompt') || !init?.body) return fetch(input, init)
      const sent = (await (await fetch(input, init)).json()) as object
      const node_errors = Object.fromEntries(
        Array.from({ length: 300 }, (_, at) => [`${at + 10}`, refused(at)]),
      )
      return Response.json({ ...sent, node_errors })
    }
    const on = open({ network })
    const { id } = await on.start('run_workflow', { workflow: WORKFLOW })
    await expect.poll(async () => (await on.look(id)).status, { timeout: 8000 }).toBe('completed')
    const text = JSON.stringify((await on.look(id)).result)
    expect(text).toContain('and 280 more')
    expect(text.length).toBeLessThan(20_000)
    expect(text).not.toContain('/home/ann')
  })

  const save = WORKFLOW['2']
  const image = WORKFLOW['1']
  it.each([
    [
      'a node that the server does not have',
      { ...WORKFLOW, '1': { ...image, class_type: 'Nope' } },
      /the server has no node "Nope" \(node "1"\)/,
    ],
    [
      'a missing input',
      { '1': image, '2': { ...save, inputs: { images: ['1', 0] } } },
      /"filename_prefix" of node "2" \(SaveImage\) is missing/,
    ],
    [
      'a value out of range',
      { ...WORKFLOW, '1': { ...image, inputs: { ...image.inputs, width: 0 } } },
      /"width" of node "1" \(EmptyImage\) is smaller than 1/,
    ],
    [
      'a link to nothing',
      { '2': { ...save, inputs: { ...save.inputs, images: ['9', 0] } } },
      /linked to node "9", which is not there/,
    ],
    ['no node that writes a result', { '1': image }, /no node of the workflow writes a result/],
    ['no nodes', {}, /has no nodes/],
    ['a file of the editor without nodes', { nodes: [], links: [] }, /has no nodes/],
    [
      'a file of the editor with a node that the server does not have',
      { nodes: [...EDITOR.nodes, { id: 3, type: 'Nope' }], links: EDITOR.links },
      /the server has no node "Nope" \(node "3"\)/,
    ],
    [
      'a file of the editor with subgraphs inside each other',
      {
        nodes: [{ id: 1, type: 'a' }],
        definitions: { subgraphs: [{ id: 'a', nodes: [{ id: 1, type: 'a' }] }] },
      },
      /subgraphs are inside each other/,
    ],
    [
      'a file of the editor with lists inside lists',
      `{"nodes":[{"id":1,"type":"EmptyImage","widgets_values":[${'['.repeat(200_000)}${']'.repeat(200_000)}]}]}`,
      /too many lists inside/,
    ],
    [
      'a workflow with lists inside lists',
      `{"1":{"class_type":"EmptyImage","inputs":{"width":${'['.repeat(200_000)}${']'.repeat(200_000)}}}}`,
      /too many lists inside/,
    ],
    [
      'a file of the editor with too many bytes',
      { ...EDITOR, extra: 'x'.repeat(2_100_000) },
      /has more than 2 MB/,
    ],
    ['a node without a class', { '1': {} }, /Node "1" of the workflow has no "class_type"/],
    [
      'too many nodes',
      Object.fromEntries(Array.from({ length: 257 }, (_, id) => [`n${id}`, image])),
      /has 257 nodes; at most 256/,
    ],
    [
      'too many bytes',
      {
        ...WORKFLOW,
        '2': { ...save, inputs: { ...save.inputs, filename_prefix: 'x'.repeat(600_000) } },
      },
      /has more than 512 KB/,
    ],
  ])('refuses %s, in words, and sends nothing', async (_, workflow, message) => {
    const { asked, call } = open()
    const result = await call('run_workflow', { workflow })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(message)
    expect(asked).not.toContain('/api/prompt')
  })

  it('names every problem, of many only the first', async () => {
    const broken = { ...image, inputs: { ...image.inputs, width: 0, height: 0 } }
    const many = Array.from({ length: 30 }, (_, id) => [
      [`n${id}`, broken],
      [`s${id}`, { ...save, inputs: { ...save.inputs, images: [`n${id}`, 0] } }],
    ])
    const result = await open().call('run_workflow', {
      workflow: Object.fromEntries(many.flat()) as object,
    })
    expect(textOf(result).match(/is smaller than 1/g)).toHaveLength(20)
    expect(textOf(result)).toContain('and 40 more')
  })
})
