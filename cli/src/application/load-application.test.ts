import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { BuildError, buildEach } from '../build/index.ts'
import { loadApplication } from './load-application.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-targets-'))
  await writeFile(join(folder, 'tool.ts'), '')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The component's target, of a manifest with these lines under `[component.tool.tool.ftl]`. */
async function target(...lines: string[]) {
  await writeFile(
    join(folder, 'spin.toml'),
    `spin_manifest_version = 2
[application]
name = "a"
version = "1.0.0"
[[trigger.http]]
route = "/..."
component = "tool"
[component.tool]
source = "tool.wasm"
[component.tool.tool.ftl]
entry = "tool.ts"
${lines.join('\n')}
`,
  )
  return (await loadApplication(folder)).targets[0]
}

describe('a key that nothing reads', () => {
  it.each([
    ['entri = "tool.ts"', 'entri is not a key of this table; did you mean "entry"?'],
    [
      'language = "ts"',
      'language is not a key of this table; known here: compute_limit_ms, entry, intl, members, node_compat, shared_stores',
    ],
  ])('is refused: %s', async (line, message) => {
    await expect(target(line)).rejects.toThrow(`[component.tool.tool.ftl] ${message}`)
  })
})

describe('compute_limit_ms', () => {
  it('is handed on, and absent by default', async () => {
    expect((await target('compute_limit_ms = 10000'))?.computeLimitMs).toBe(10_000)
    expect(await target()).not.toHaveProperty('computeLimitMs')
  })

  it.each(['0', '-1', '600001', '1.5', '"10000"', 'true', 'inf'])('is not %s', async (value) => {
    await expect(target(`compute_limit_ms = ${value}`)).rejects.toThrow(
      '[component.tool.tool.ftl] compute_limit_ms must be a whole number of milliseconds, from 1 to 600000',
    )
  })
})

describe('intl', () => {
  it('is handed on, and absent by default', async () => {
    expect((await target('intl = false'))?.intl).toBe(false)
    expect((await target('intl = true'))?.intl).toBe(true)
    expect(await target()).not.toHaveProperty('intl')
  })

  it.each(['"de"', '1', '[]'])('is not %s', async (value) => {
    await expect(target(`intl = ${value}`)).rejects.toThrow(
      '[component.tool.tool.ftl] intl must be true or false',
    )
  })
})

describe('engine', () => {
  afterEach(() => vi.unstubAllEnvs())

  /** What the author reads when the component is built. */
  async function failure(...lines: string[]): Promise<unknown> {
    const built = await target(...lines)
    const { failed } = await buildEach(built ? [built] : [], { cacheFolder: join(folder, '.ftl') })
    return failed[0]
  }

  it('of an earlier version ends the build with the key, what has changed and what to do', async () => {
    const error = await failure('engine = "starlingmonkey"')
    expect(error).toBeInstanceOf(BuildError)
    const { component, problems } = error as BuildError
    expect(component).toBe('tool')
    expect(problems).toEqual([
      expect.stringMatching(
        /^\[component\.tool\.tool\.ftl\] engine: the engine "starlingmonkey" was removed in this version\. Remove the line .* set its source to that \.wasm file, and remove its entry\.$/,
      ),
    ])
  })

  it('of an earlier version can also be asked for by FTL_ENGINE', async () => {
    vi.stubEnv('FTL_ENGINE', 'starlingmonkey')
    const { problems } = (await failure()) as BuildError
    expect(problems[0]).toMatch(/^the environment variable FTL_ENGINE: .* was removed.* Unset it /)
    expect(await target('engine = "quickjs"')).not.toHaveProperty('refusal')
  })

  it('can be no other one', async () => {
    const { problems } = (await failure('engine = "v8"')) as BuildError
    expect(problems[0]).toContain('[component.tool.tool.ftl] engine must be "quickjs"')
  })

  it('may be named, though there is one only', async () => {
    expect(await target('engine = "quickjs"')).toEqual(await target())
  })
})

describe('node_compat', () => {
  it('is handed on if it is true, and absent otherwise', async () => {
    expect((await target('node_compat = true'))?.nodeCompat).toBe(true)
    expect(await target('node_compat = false')).not.toHaveProperty('nodeCompat')
    expect(await target()).not.toHaveProperty('nodeCompat')
  })

  it.each(['1', '"true"', '["buffer"]'])('is not %s', async (value) => {
    await expect(target(`node_compat = ${value}`)).rejects.toThrow(
      '[component.tool.tool.ftl] node_compat must be true or false',
    )
  })
})
