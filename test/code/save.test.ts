/** `ftl code save`: a program becomes a tool, which is built and called through the gateway on the real host. */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startHost } from 'ftl-host'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ftl } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'

const repository = dirname(MANIFESTS.application)
const built = (name: string) => JSON.stringify(join(repository, 'dist', 'test', 'code', name))
const part = (name: string, lines = '') => `
[[trigger.http]]
route = { private = true }
component = "${name}"
[component.${name}]
source = ${built(`${name}.wasm`)}
${lines}`
const MANIFEST = `spin_manifest_version = 2
[application]
name = "saved"
version = "0.1.0"

[[trigger.http]]
route = "/..."
component = "mcp-gateway"
[component.mcp-gateway]
source = ${built('mcp-gateway.wasm')}
allowed_outbound_hosts = ["http://*.spin.internal"]
key_value_stores = ["default"]
[component.mcp-gateway.variables]
tool_components = "echo,my-target,code"
${part('code', 'allowed_outbound_hosts = ["http://mcp-gateway.spin.internal"]')}${part('echo')}${part('my-target')}`

const DECLARATIONS = `declare const tools: {
  echo: { echo(args: { message: string }): Promise<string> }
  "my-target": { value(args: object): Promise<unknown> }
}
`
const SCHEMA = JSON.stringify({
  type: 'object',
  properties: { words: { type: 'array', items: { type: 'string' }, minItems: 1 } },
  required: ['words'],
  additionalProperties: false,
})

/** Whatever would be code in another place than a program. */
const TRICKY = '</script>`${process.exit(1)}`\u2028\u2029\\u0041"\'*/ // \u{1f600}'

const SHOUT = `const said = await Promise.all(input.words.map((message: string) => tools.echo.echo({ message })))
console.log('not for clients')
return { said, tricky: ${JSON.stringify(TRICKY)}, raw: \`</script>\u2028\${1 + 1}\` }
`

let folder: string
let close = async () => {}
let url = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-save-'))
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'spin.toml'), MANIFEST)
  await writeFile(join(folder, 'tools.d.ts'), DECLARATIONS)
  await writeFile(join(folder, 'shout.ts'), SHOUT)
})
afterAll(async () => {
  await close()
  await rm(folder, { recursive: true, force: true })
})

async function save(...args: string[]) {
  const declared = args.includes('--no-check') ? [] : ['--declarations', 'tools.d.ts']
  const running = ftl(['code', 'save', ...args, ...declared], { cwd: folder })
  const code = await running.exited
  return { code, output: running.output() }
}

const manifest = () => readFile(join(folder, 'spin.toml'), 'utf8')
const describing = ['--description', 'Says words', '--input-schema', SCHEMA]

describe('nothing is written', () => {
  it.each([
    [
      'for a program with type errors',
      'bad.ts',
      'return await tools.ecko.echo({})',
      [],
      /bad\.ts:1:20: .*'ecko'.*[^]*nothing was saved/,
    ],
    [
      'for a program that is broken',
      'bad.ts',
      'return 1 +\n* 2',
      [],
      /bad\.ts:2:1: .*[^]*nothing was saved/,
    ],
    ['for an empty program', 'bad.ts', ' \n', [], /the program is empty/],
    [
      'without a description',
      'shout.ts',
      SHOUT,
      ['--description', ''].slice(2),
      /--description must say/,
    ],
    [
      'for a schema that is not JSON',
      'shout.ts',
      SHOUT,
      ['--input-schema', '{'],
      /--input-schema: .*JSON/,
    ],
    [
      'for a schema of another type',
      'shout.ts',
      SHOUT,
      ['--input-schema', '{"type":"string"}'],
      /"type" must be "object"/,
    ],
    [
      'for a schema that would change prototypes',
      'shout.ts',
      SHOUT,
      ['--input-schema', '{"type":"object","properties":{"__proto__":{"type":"string"}}}'],
      /--input-schema: "__proto__" cannot be the name/,
    ],
    [
      'for a dry run',
      'shout.ts',
      SHOUT,
      [...describing, '--dry-run'],
      /Would write the tool shout into tools\/shout:[^]*saved_programs = "shout"/,
    ],
  ])('%s', async (_, name, text, args, output) => {
    await writeFile(join(folder, name), text)
    const more =
      args.includes('--description') || /description/.test(String(output))
        ? args
        : ['--description', 'x', ...args]
    const saved = await save('shout', name, ...more)
    expect(saved.output).toMatch(output)
    expect(saved.code).toBe(args.includes('--dry-run') ? 0 : 1)
    expect(await manifest()).toBe(MANIFEST)
    expect(existsSync(join(folder, 'tools'))).toBe(false)
  })
})

describe('a saved program', () => {
  beforeAll(async () => {
    const saved = await save('shout', 'shout.ts', ...describing, '--json')
    expect(JSON.parse(saved.output)).toMatchObject({
      name: 'shout',
      tool: 'shout',
      folder: 'tools/shout',
      manifestLines: expect.arrayContaining(['saved_programs = "shout"']) as string[],
    })
    await writeFile(join(folder, 'relay.ts'), 'return await tools.shout.shout({ words: ["x"] })')
    const relay = await save('relay', 'relay.ts', '--description', 'Calls another', '--no-check')
    expect(relay.output).toMatch(/saved_programs = "shout relay"/)
    const building = ftl(['build'], { cwd: folder })
    expect(await building.exited, building.output()).toBe(0)
    const host = await startHost({
      manifest: join(folder, 'spin.toml'),
      listen: '127.0.0.1:0',
      stateDir: join(folder, 'state'),
      cacheDir: join(repository, '.ftl', 'cache'),
      env: {},
    })
    close = () => host.close()
    url = host.url
  }, 120_000)

  async function call(name: string, args: object) {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name, arguments: args },
      }),
    })
    const { result, error } = (await response.json()) as {
      result?: { structuredContent?: unknown; content: { text: string }[]; isError?: boolean }
      error?: unknown
    }
    return { ...result, text: result?.content[0]?.text ?? JSON.stringify(error) }
  }

  it('is called with arguments, and its text is what was saved', async () => {
    const { structuredContent, text, isError } = await call('shout', { words: ['a', 'b'] })
    const value = { said: ['a', 'b'], tricky: TRICKY, raw: '</script>\u20282' }
    expect(isError).toBeUndefined()
    expect(structuredContent).toEqual(value)
    expect(JSON.parse(text)).toEqual(value)
  })

  it('gets no arguments that do not fit its schema', async () => {
    expect((await call('shout', { words: [] })).text).toMatch(/words/)
    expect((await call('shout', { words: ['a'], more: 1 })).text).toMatch(/more/)
  })

  it('is called by a program, which another saved program cannot do once more', async () => {
    const program = (code: string) => call('run_code', { code })
    expect((await program('return (await tools.shout.shout({ words: ["x"] })).said')).text).toBe(
      '["x"]',
    )
    expect((await call('relay', {})).text).toMatch(/"said":\["x"\]/)
    const nested = await program('return await tools.relay.relay({})')
    expect(nested.text).toMatch(/A saved program that a program has called cannot call another one/)
    expect(nested.isError).toBe(true)
  })

  it('is not saved again under its name, but replaced', async () => {
    const before = await manifest()
    const again = await save('shout', 'shout.ts', ...describing)
    expect(again.output).toMatch(/has a component "shout" already/)
    expect(again.code).toBe(1)
    await writeFile(join(folder, 'other.ts'), 'return input.words.length\n')
    expect((await save('shout', 'other.ts', '--replace')).output).toMatch(
      /tools\/shout\/src\/program\.json/,
    )
    expect(await manifest()).toBe(before)
    const file = await readFile(join(folder, 'tools/shout/src/program.json'), 'utf8')
    expect(JSON.parse(file)).toMatchObject({
      description: 'Says words',
      inputSchema: JSON.parse(SCHEMA) as object,
      code: ['return input.words.length', ''],
    })
    expect((await save('nothing', 'other.ts', '--replace')).output).toMatch(
      /no saved program "nothing"/,
    )
  })
})
