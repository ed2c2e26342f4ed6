// The examples of the document "LLM behavior and tool format", typed as they stand there.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callTool, rpc } from '../support/rpc.ts'
import { CANNOT_RUN, startWorkflows, type WorkflowApplication } from './application.ts'

interface Call {
  name: string
  arguments: Record<string, unknown>
}
type Nodes = Record<string, { class_type: string; inputs: Record<string, unknown> }>

const text = readFileSync(new URL('../fixtures/seeds/workflow-tools.md', import.meta.url), 'utf8')
const blocks = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, block = '']) => block)
const json = (index: number): unknown => JSON.parse(blocks[index] ?? '')
const published = json(0) as { tools: { name: string }[] }
const httpCall = JSON.parse((blocks[1] ?? '').replace(/^POST \/invoke\n/, '')) as {
  tool: string
  params: Record<string, unknown>
}
const mcpCall = json(2) as Call
const openAiCall = (json(3) as { function: { name: string; arguments: string } }).function
const config = json(4) as { name: string }[]

/** The three forms of one call, each as MCP would carry it. */
const CALLS: [string, Call][] = [
  ['HTTP', { name: httpCall.tool, arguments: httpCall.params }],
  ['MCP', mcpCall],
  [
    'OpenAI',
    {
      name: openAiCall.name,
      arguments: JSON.parse(openAiCall.arguments) as Record<string, unknown>,
    },
  ],
]

describe.skipIf(CANNOT_RUN)('without ComfyUI', () => {
  let app: WorkflowApplication
  beforeAll(async () => (app = await startWorkflows()))
  afterAll(() => app.close())

  it('has five examples, three of them one call', () => {
    expect(blocks).toHaveLength(5)
    expect(CALLS.map(([, call]) => call)).toEqual([mcpCall, mcpCall, mcpCall])
  })

  it('publishes the tool of the document', async () => {
    const { result } = await rpc(app.url, 'tools/list')
    const tools = result?.['tools'] as Record<string, unknown>[]
    const shown = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }))
    expect({ tools: shown }).toEqual(published)
  })

  it.each(CALLS)(
    'answers the call in the form of %s with the updated workflow',
    async (_, call) => {
      const { result } = await rpc(app.url, 'tools/call', call)
      const { workflow, ...rest } = result?.['structuredContent'] as { workflow: Nodes }
      const params = { ...call.arguments }
      expect(rest).toEqual({ status: 'ok', tool: 'example', params, seed: 123456 })
      const inputs = (id: string) => workflow[id]?.inputs
      expect(inputs('6')?.['text']).toBe('portrait photo, cinematic lighting')
      expect(inputs('7')?.['text']).toBe('blurry, watermark')
      expect(inputs('3')).toMatchObject({ seed: 123456, steps: 25 })
      const [content] = result?.['content'] as { text: string }[]
      expect(JSON.parse(content?.text ?? '')).toEqual(workflow)
    },
  )

  it('checks the arguments, and generates a seed where it is missing', async () => {
    const refused = await callTool(app.url, 'example', { positive_prompt: 1 })
    expect(JSON.stringify(refused)).toContain('positive_prompt')
    const { result } = await callTool(app.url, 'example', { positive_prompt: 'a' })
    const { seed, workflow } = result?.['structuredContent'] as { seed: number; workflow: Nodes }
    expect(Number.isSafeInteger(seed)).toBe(true)
    expect(workflow['3']?.inputs['seed']).toBe(seed)
    expect(workflow['7']?.inputs['text']).toBe('')
  })

  it('takes the configuration of the document, as a list and as an object', async () => {
    const [tool] = config
    for (const form of [config, { tools: config }]) {
      await app.put('config/example.json', form)
      const { result } = await rpc(app.url, 'tools/list')
      const schema = (result?.['tools'] as { inputSchema: object }[])[0]?.inputSchema
      const positive_prompt = { type: 'string', description: 'Positive prompt' }
      expect(schema).toEqual({
        type: 'object',
        properties: { positive_prompt },
        required: ['positive_prompt'],
      })
      const called = await callTool(app.url, tool?.name ?? '', { positive_prompt: 'x' })
      const { workflow } = called.result?.['structuredContent'] as { workflow: Nodes }
      expect(workflow['6']?.inputs['text']).toBe('x')
    }
  })
})

describe.skipIf(CANNOT_RUN)('with ComfyUI', () => {
  let app: WorkflowApplication
  beforeAll(async () => (app = await startWorkflows({ comfyui: { version: '0.33.0' } })))
  afterAll(() => app.close())

  it.each(CALLS)(
    'answers the call in the form of %s with a resultUrl the client can fetch',
    async (_, call) => {
      const headers = {
        'mcp-protocol-version': '2025-11-25',
        accept: 'application/json, text/event-stream',
      }
      const { result } = await rpc(app.url, 'tools/call', call, headers)
      const content = result?.['structuredContent'] as { resultUrl: string }
      expect(content).toMatchObject({
        status: 'ok',
        tool: 'example',
        params: call.arguments,
        seed: 123456,
      })
      expect(content.resultUrl.startsWith(`${app.url}/outputs/`)).toBe(true)
      const picture = await fetch(content.resultUrl)
      expect(picture.headers.get('content-type')).toBe('image/png')
      const bytes = new Uint8Array(await picture.arrayBuffer())
      expect([...bytes.subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47])
    },
  )
})
