// The OpenAPI document: a third-party validator accepts it, and a client generated from it compiles and works.
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'
import { Validator } from '@seriousme/openapi-schema-validator'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, useApplication } from './application.ts'

const application = useApplication()

// Inside the repository, where its packages are found, in a folder that is not linted.
const STATE = fileURLToPath(new URL('../../.ftl', import.meta.url))

let folder = ''
beforeAll(async () => {
  await mkdir(STATE, { recursive: true })
  folder = await mkdtemp(join(STATE, 'generated-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const readDocument = async () => (await ask(`${application.url}/openapi.json`)).body

interface Answer {
  data?: unknown
  error?: unknown
  response: Response
}

/** What is used of the generated client. */
interface Generated {
  callCalculator(options: object): Promise<Answer>
  callExample(options: object): Promise<Answer>
  invoke(options: object): Promise<Answer>
}

describe('GET /openapi.json', () => {
  it('is valid OpenAPI 3.1, with the schemas of real tools', async () => {
    const document = await readDocument()
    const validator = new Validator()
    const { valid, errors } = await validator.validate({ ...document })
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    expect(validator.version).toBe('3.1')
    const { paths, components } = document as {
      paths: Record<string, unknown>
      components: { schemas: Record<string, unknown> }
    }
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/tools/example', '/tools/calculator', '/invoke']),
    )
    expect(components.schemas['example_input']).toMatchObject({ required: ['positive_prompt'] })
    expect(components.schemas['calculator_output']).toMatchObject({ required: ['result'] })
    // References to another address are left out: a program that reads the document would fetch them.
    expect(JSON.stringify(document)).not.toContain('http://oddities')
  })

  it('makes a client that compiles, calls a tool and gets errors', async () => {
    const input = join(folder, 'openapi.json')
    await writeFile(input, JSON.stringify(await readDocument()))
    const path = join(folder, 'client')
    // Node loads the client as it is.
    const output = { path, module: { extension: '.ts' } } as const
    await createClient({ input, output, logs: { level: 'silent' } })
    expect(compile(path, await readdir(path))).toEqual([])

    const client = (await import(pathToFileURL(join(path, 'sdk.gen.ts')).href)) as Generated
    const to = { baseUrl: application.url }
    const sum = await client.callCalculator({ ...to, body: { expression: '2*(3+4)^2' } })
    expect(sum.data).toMatchObject({ structuredContent: { result: 98 } })
    const refused = await client.callCalculator({ ...to, body: {} })
    expect(refused.response.status).toBe(400)
    expect(refused.error).toMatchObject({
      error: { code: 'invalid_arguments', field: 'expression' },
    })
    const drawn = await client.callExample({ ...to, body: { positive_prompt: 'a dragon' } })
    expect(drawn.data).toMatchObject({ resultUrl: 'https://comfy.example/view?filename=a.png' })
    const body = { tool: 'echo', params: { message: 'hello' } }
    const said = await client.invoke({ ...to, body })
    expect(said.data).toMatchObject({ content: [{ type: 'text', text: 'hello' }] })
  })
})

/** What the compiler says, strictly, of the client and of a program that uses its types. */
function compile(output: string, files: string[]): string[] {
  const use = join(output, 'use.ts')
  const text = `import { callCalculator } from './sdk.gen.ts'
    export const good = callCalculator({ body: { expression: '1' } })
    // @ts-expect-error the schema of the tool says it is a string
    export const bad = callCalculator({ body: { expression: 1 } })
    export async function result(): Promise<number | undefined> {
      const { data } = await good
      return data && 'structuredContent' in data ? data.structuredContent?.result : undefined
    }`
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (name, version) =>
    name === use ? ts.createSourceFile(name, text, version) : read(name, version)
  const roots = [
    use,
    ...files.filter((name) => name.endsWith('.ts')).map((name) => join(output, name)),
  ]
  return ts
    .getPreEmitDiagnostics(ts.createProgram(roots, options, host))
    .map(
      ({ messageText, file }) =>
        `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    )
}
