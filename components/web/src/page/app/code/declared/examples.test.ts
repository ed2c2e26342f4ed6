import { expect, it } from 'vitest'
import { typescriptLanguage } from '@codemirror/lang-javascript'
import { examplesOf } from './examples.ts'
import { readDeclared } from './program-tools.ts'

const hostile = "x'); import('//evil'); ('"
const tools = [
  {
    name: hostile,
    inputSchema: { required: [hostile], properties: { [hostile]: { const: hostile } } },
  },
  {
    name: 'read',
    annotations: { readOnlyHint: true },
    inputSchema: {
      required: ['path', 'depth', '__proto__'],
      properties: JSON.parse(
        '{"path":{"type":"string","description":"for example \\"/tmp\\""},"depth":{"type":"integer","minimum":3},"__proto__":{"type":"string"},"other":{}}',
      ) as object,
    },
  },
]
const owners = Object.fromEntries(
  tools.map(({ name }) => [name, { name, component: name === 'read' ? 'my-disk' : hostile }]),
) as object

it('are made of a tool that changes nothing, with what it requires', () => {
  const [first] = examplesOf(readDeclared({ tools }, { owners }))
  expect(first?.code).toBe(
    "return await tools['my-disk'].read({ path: '/tmp', depth: 3, ['__proto__']: 'hello' })\n",
  )
})

it.each([[[tools[0]]], [tools], [[]]])(
  'are programs without mistakes, whatever the tools are called',
  (list) => {
    for (const { code } of examplesOf(readDeclared({ tools: list }, { owners }))) {
      const names: string[] = []
      typescriptLanguage.parser.parse(code).iterate({ enter: ({ name }) => void names.push(name) })
      expect(names).not.toContain('⚠')
      expect(names).not.toContain('DynamicImport')
    }
  },
)
