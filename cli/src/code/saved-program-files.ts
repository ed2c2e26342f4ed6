/** The files of a saved program: a component that returns the program, which the gateway then runs. */
import { toolName } from 'create-ftl-tool'
import { sampleArguments } from '../contract-test/sample-arguments.ts'

export interface SavedProgram {
  /** Of the component, in kebab-case. */
  name: string
  code: string
  description: string
  inputSchema: Record<string, unknown>
  annotations?: { readOnlyHint: true } | undefined
}

/** Where the program is, in the folder of its component. */
export const PROGRAM_FILE = 'src/program.json'

/** By their path in the folder. Everything that the user wrote is JSON in one file, so no text of it can become code. */
export function savedFiles(program: SavedProgram): Map<string, string> {
  return new Map([
    [PROGRAM_FILE, programFile(program)],
    ['src/main.ts', main(program.name)],
    ['src/main.test.ts', test(program)],
    ['README.md', readme(program)],
  ])
}

export function programFile({ description, inputSchema, annotations, code }: SavedProgram): string {
  const lines = code.split('\n')
  return json({ description, inputSchema, ...(annotations && { annotations }), code: lines })
}

const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`

const main = (name: string) => `import { createTool } from 'ftl-sdk'
import program from './program.json' with { type: 'json' }

const { code, ...metadata } = program

export const tool = createTool({
  metadata: { name: '${toolName(name)}', ...metadata, _meta: { 'ftl/program': true } },
  // The gateway runs the program, with the rights of the caller. This component has none.
  handler: (input) => ({
    content: [],
    _meta: { 'ftl/program': { code: code.join('\\n'), input } },
  }),
})
`

const test = ({ inputSchema }: SavedProgram) => `import { testTool } from 'ftl-sdk/testing'
import { expect, it } from 'vitest'
import program from './program.json' with { type: 'json' }
import { tool } from './main.ts'

it('hands its program and the arguments to the gateway', async () => {
  const input = ${JSON.stringify(sampleArguments(inputSchema))}
  const { _meta } = await testTool(tool).call(input)
  expect(_meta?.['ftl/program']).toEqual({ code: program.code.join('\\n'), input })
})
`

function readme({ name, description, inputSchema }: SavedProgram): string {
  const args = callArguments(inputSchema)
  return `# ${toolName(name)}

${oneLine(description)}

A program saved by \`ftl code save\`. Its text, description and schema are in \`src/program.json\`. The gateway runs it with the
rights of its caller: each call it makes is decided, limited and logged as a call of that caller.

\`\`\`sh
npx ftl build
npx ftl call ${toolName(name)}${args === '' ? '' : ` ${args}`}
\`\`\`

To change the program, save it again: \`npx ftl code save ${name} PROGRAM.ts --replace\`.
`
}

/** Markdown of a stranger stays one paragraph. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').replace(/[<>`]/g, '').trim()

/** As `ftl call` takes them. */
export function callArguments(inputSchema: unknown): string {
  return Object.entries(sampleArguments(inputSchema))
    .map(([key, value]) =>
      shellWord(`${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`),
    )
    .join(' ')
}

const shellWord = (text: string) =>
  /^[\w=.:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
