/** Programs to start from, made of the tools that are there. */
import { access, type Declared, property, type ProgramTool } from './program-tools.ts'
import {
  asCode,
  descriptionOf,
  type Member,
  literalsOf,
  membersOf,
  type Shape,
  typeOf,
} from './shape.ts'

export interface Example {
  title: string
  code: string
}

/** Values of one call. */
const MOST_ARGUMENTS = 8

export function examplesOf({ components }: Pick<Declared, 'components'>): Example[] {
  const all = [...components.values()].flatMap((tools) => [...tools.values()])
  const [first] = [...all].sort((a, b) => rank(b) - rank(a))
  const search: Example = {
    title: 'Search for tools',
    code: "const { tools: found, matches } = await search('text')\nconsole.log(`${matches} tools found`)\nreturn found\n",
  }
  if (!first) return [search]
  const call = callOf(first)
  return [
    { title: `Call ${first.name}`, code: `return await ${call}\n` },
    {
      title: 'Several calls at once',
      code: [
        'const all = await Promise.all([1, 2, 3].map(async (number) => {',
        `  const result = await ${indented(call)}`,
        '  console.log(`call ${number} is done`)',
        '  return result',
        '}))',
        'return { count: all.length, all }',
        '',
      ].join('\n'),
    },
    {
      title: 'Handle a failure',
      code: [
        'try {',
        `  return await ${indented(call)}`,
        '} catch (error) {',
        '  if (error instanceof ToolError) return { failed: error.tool, why: error.message }',
        '  throw error',
        '}',
        '',
      ].join('\n'),
    },
    {
      title: 'Report progress',
      code: [
        'for (let step = 1; step <= 5; step++) {',
        '  progress(step, 5, `step ${step}`)',
        `  await ${indented(call)}`,
        '  await sleep(500)',
        '}',
        "return 'done'",
        '',
      ].join('\n'),
    },
    search,
  ]
}

/** A tool that changes nothing and needs little is a good first one. */
function rank({ isReadOnly, input, output }: ProgramTool): number {
  const required = membersOf(input).filter((member) => member.isRequired).length
  return (isReadOnly ? 10 : 0) + (output ? 1 : 0) - Math.min(required, 9)
}

function callOf({ component, name, input }: ProgramTool): string {
  const required = membersOf(input).filter(({ isRequired }) => isRequired)
  const given = required.slice(0, MOST_ARGUMENTS).map(argumentOf).join(', ')
  return `tools${access(component)}${access(name)}(${given === '' ? '' : `{ ${given} }`})`
}

function argumentOf({ name, shape }: Member): string {
  return `${property(name)}: ${valueFor(shape)}`
}

function valueFor(shape: Shape): string {
  const { schema } = shape
  for (const key of ['default', 'examples']) {
    if (!Object.hasOwn(schema, key)) continue
    const value: unknown =
      key === 'examples' ? (schema[key] as unknown[] | undefined)?.[0] : schema[key]
    if (value !== undefined) return asCode(value)
  }
  const [literal] = literalsOf(shape)
  if (literal !== undefined) return literal
  const type = typeOf(shape)
  if (type === 'number') return String(numberFor(schema))
  if (type === 'string') return asCode(SHOWN.exec(descriptionOf(shape))?.[1] ?? 'hello')
  if (type === 'null') return 'null'
  return type.endsWith('[]') ? '[]' : '{}'
}

/** What descriptions have: `for example "Rome"`. */
const SHOWN = /(?:example|e\.g\.)[,:]? ["“]([^"”\n]{1,60})["”]/

function numberFor(schema: Record<string, unknown>): number {
  const least = schema['minimum']
  return typeof least === 'number' && least > 1 ? least : 1
}

function indented(call: string): string {
  return call.replaceAll('\n', '\n  ')
}
