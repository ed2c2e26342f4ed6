import { describe, expect, it } from 'vitest'
import { parseWorkflow } from './parse.ts'
import { field, readFolder, workflow } from './testing.ts'

const WRAPPED: [string, unknown][] = [
  ['{ "prompt": … }, as ComfyUI takes it', { prompt: workflow(), client_id: 'x' }],
  [
    '{ "output": …, "workflow": … }, as the editor makes it',
    { output: workflow(), workflow: { nodes: [] } },
  ],
  ['{ "input": { "workflow": … } }, as RunPod takes it', { input: { workflow: workflow() } }],
  ['{ "input": { "prompt": … } }', { input: { prompt: workflow() } }],
  ['{ "workflow": … }', { workflow: workflow() }],
]

describe('a workflow in a wrapper', () => {
  it.each(WRAPPED)('is found in %s', async (_, wrapped) => {
    expect(parseWorkflow(wrapped)).toEqual(parseWorkflow(workflow()))
    const { tools, findings } = await readFolder({
      'config/t.json': [{ name: 't', workflow: 't.json', fields: [field()] }],
      'workflows/t.json': wrapped,
    })
    expect(findings).toEqual([])
    const [{ tool } = {}] = tools
    const text = JSON.stringify(wrapped)
    expect(JSON.parse(text.slice(tool?.body.start, tool?.body.end))).toEqual(workflow())
  })

  it('may be a text in a text', () => {
    const text = JSON.stringify(workflow())
    expect(parseWorkflow({ input: { workflow: text } })).toEqual(parseWorkflow(workflow()))
  })

  it('is not looked for in nodes with such a name', () => {
    const nodes = {
      prompt: { class_type: 'A', inputs: {} },
      input: { class_type: 'B', inputs: {} },
    }
    expect(Object.keys(parseWorkflow(nodes))).toEqual(['prompt', 'input'])
  })

  it('of the editor’s format is refused with a hint', async () => {
    const wrapped = { input: { workflow: { nodes: [], links: [] } } }
    expect(() => parseWorkflow(wrapped)).toThrow(/format of the ComfyUI editor/)
    const { findings } = await readFolder({ 'workflows/t.json': wrapped })
    expect(findings[0]?.message).toMatch(/format of the ComfyUI editor/)
  })

  it('cannot be a text in a file, which says what to do', async () => {
    const { findings } = await readFolder({
      'workflows/t.json': { input: { workflow: JSON.stringify(workflow()) } },
    })
    expect(findings[0]).toMatchObject({
      message: expect.stringMatching(/is a text in JSON/) as unknown,
    })
  })
})

it('reads files whose name ends in .JSON', async () => {
  const { tools } = await readFolder({
    'config/a.JSON': [{ name: 'a', workflow: 'workflow_api.JSON', fields: [field()] }],
    'workflows/workflow_api.JSON': workflow(),
    'workflows/bare.JSON': workflow(),
  })
  expect(tools.map(({ tool }) => tool.name)).toEqual(['a', 'bare'])
})
