// Files dropped in while the application runs, and files that are broken, on real components.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callTool, rpc } from '../support/rpc.ts'
import { CANNOT_RUN, startWorkflows, type WorkflowApplication } from './application.ts'

const skip = it.skipIf(CANNOT_RUN)
let app: WorkflowApplication
beforeAll(async () => void (!CANNOT_RUN && (app = await startWorkflows())))
afterAll(() => app?.close())

const names = async () =>
  ((await rpc(app.url, 'tools/list')).result?.['tools'] as { name: string }[]).map(
    ({ name }) => name,
  )

/** `57:27` and `__proto__` are ids; `1.0` and the seed are written as JavaScript would not write them. */
const WORKFLOW = `{
  "57:27": {"class_type": "PrimitiveString", "inputs": {"value": "old"}},
  "__proto__": {"class_type": "SaveImage", "inputs": {"seed": 18446744073709551615, "cfg": 1.0}}
}`
const CONFIG = [
  { name: 'dropped', fields: [{ name: 'value', mapping: { node: '57:27', attribute: 'value' } }] },
]

skip('a workflow dropped in is a tool, with its configuration one with parameters', async () => {
  expect(await names()).toEqual(['example'])
  await app.put('workflows/dropped.json', WORKFLOW)
  expect(await names()).toEqual(['example', 'dropped'])
  expect((await callTool(app.url, 'dropped')).result?.['content']).toEqual([
    { type: 'text', text: WORKFLOW },
  ])
  await app.put('config/dropped.json', CONFIG)
  expect(await names()).toEqual(['dropped', 'example'])
  const { result } = await callTool(app.url, 'dropped', { value: 'new "$&"' })
  const text = WORKFLOW.replace('"old"', () => '"new \\"$&\\""')
  expect(result?.['content']).toEqual([{ type: 'text', text }])
})

skip('an edited workflow is seen by the next call, and a removed one is gone', async () => {
  await app.put('workflows/dropped.json', WORKFLOW.replace('"old"', '"a much longer old text"'))
  const { result } = await callTool(app.url, 'dropped', { value: 'x' })
  expect(result?.['content']).toEqual([{ type: 'text', text: WORKFLOW.replace('"old"', '"x"') }])
  await app.remove('workflows/dropped.json')
  await app.remove('config/dropped.json')
  expect(await names()).toEqual(['example'])
  expect((await callTool(app.url, 'dropped')).error?.message).toBe('Tool not found')
})

skip('broken files are reported with their line and cost nothing else', async () => {
  const broken: Record<string, unknown> = {
    'config/no-json.json': '[\n  {"name": }]',
    'config/traversal.json': [{ name: '../x', workflow: '../../spin.toml' }],
    'config/proto.json':
      '[{"name":"proto","__proto__":{"fields":[]},"fields":[{"name":"__proto__"}]}]',
    'config/nowhere.json': [{ name: 'constructor', workflow: 'constructor.json' }],
    'config/deep.json': '['.repeat(50_000),
    'workflows/editor.json': { nodes: [], links: [] },
    'workflows/huge.json': '{"1":{"class_type":"A","inputs":{"x":1e999}}}',
    'workflows/not-utf8.json': new Uint8Array([0x7b, 0xff, 0x7d]),
  }
  for (const [path, content] of Object.entries(broken)) await app.put(path, content)
  expect(await names()).toEqual(['example'])
  const health = (await (await fetch(`${app.url}/health/components`)).json()) as {
    components: { problems?: string[] }[]
  }
  const problems = health.components.flatMap((component) => component.problems ?? []).join('\n')
  for (const path of Object.keys(broken)) expect(problems).toContain(`${path}:`)
  expect(problems).toContain('config/no-json.json:2: error: not valid JSON: expected a value')
  const { result } = await callTool(app.url, 'example', { positive_prompt: 'still there' })
  expect(JSON.stringify(result)).toContain('still there')
  for (const path of Object.keys(broken)) await app.remove(path)
})
