/** The tables of docs/variables.md, from the declarations in the code. */
import { createProgram } from '../../cli/src/main.ts'
import { type Declared, declaredInCode, declaredInToml, readersIn } from './declared-variables.ts'
import { optionsByVariable } from './option-variables.ts'
import { readByGateway, readIn } from './read-variables.ts'
import { cell, table } from './markdown.ts'
import type { Tables } from './printed-pages.ts'

/** A variable is in the table of the first component that reads it. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  'variables of the gateway': ['mcp-gateway', 'web'],
  'variables of ComfyUI': ['generate-image', 'workflows', 'comfyui'],
  'variables of other MCP servers': ['remote'],
  'variables of the chat': ['chat'],
  'variables of programs': ['code'],
}

/** Code that may read variables that `spin.toml` does not declare, and the components that are made of it. */
const CODE = [
  {
    folder: 'gateway/src',
    components: ['mcp-gateway'],
    read: () => Promise.resolve(readByGateway()),
  },
  { folder: 'comfyui/src', components: ['generate-image', 'workflows', 'comfyui'], read: readIn },
  ...['code', 'web', 'remote', 'chat', 'generate-image', 'workflows', 'comfyui'].map((name) => ({
    folder: `components/${name}/src`,
    components: [name],
    read: readIn,
  })),
] as const

interface Variable extends Declared {
  readers: readonly string[]
}

export async function variableTables(): Promise<Tables> {
  const all = await componentVariables()
  const tables = Object.entries(TABLES).map(([name, components]) => {
    const own = all.filter(({ readers: [first = ''] }) => components.includes(first))
    return [name, variableTable(own)] as const
  })
  const lost = all.filter(
    ({ readers: [first = ''] }) => !Object.values(TABLES).flat().includes(first),
  )
  if (lost.length > 0) {
    throw new Error(`no component reads ${lost.map(({ name }) => name).join(', ')}`)
  }
  return new Map([
    ...tables,
    ['environment variables', await environmentTable()],
    [
      'variables of the bridge',
      variableTable(await declaredInToml('bridge/wrangler.toml', 'vars')),
    ],
  ])
}

async function componentVariables(): Promise<Variable[]> {
  const declared = await declaredInToml('spin.toml', 'variables')
  const readers = await readersIn('spin.toml')
  const names = new Set(declared.map(({ name }) => name))
  const further = await Promise.all(
    CODE.map(async ({ folder, components, read }) => {
      const missing = (await read(folder)).filter((name) => !names.has(name))
      const found = await declaredInCode(folder)
      return missing.map((name) => {
        const one = found.find((each) => each.name === name)
        if (one) return { ...one, readers: components }
        const form = `a docstring "\`${name}\`: what it means"`
        throw new Error(`${folder} reads ${name}: declare it in spin.toml, or write ${form}`)
      })
    }),
  )
  return [
    ...declared.map((each) => ({ ...each, readers: readers.get(each.name) ?? [] })),
    ...further.flat(),
  ]
}

/** Who reads a variable is left out where it is the same for all. */
function variableTable(variables: readonly (Declared & Partial<Variable>)[]): string {
  const readers = variables.map(({ readers = [] }) => readers.map((id) => `\`${id}\``).join(', '))
  const differ = new Set(readers).size > 1
  const rows = variables.map(({ name, usual, secret, meaning }, index) => [
    `\`${name}\``,
    usual,
    differ ? (readers[index] ?? '') : '',
    `${secret === true ? 'secret: ' : ''}${cell(meaning)}`,
  ])
  return table(['variable', 'default', 'read by', 'meaning'], rows)
}

async function environmentTable(): Promise<string> {
  const ofOptions = optionsByVariable(await createProgram())
  const others = await Promise.all(
    ['cli/bin', 'cli/src', 'client/src', 'host/src'].map(declaredInCode),
  )
  const isName = ({ name }: Declared) => /^[A-Z]+_[A-Z_*]+$/.test(name)
  return variableTable([...ofOptions, ...others.flat().filter(isName)])
}
