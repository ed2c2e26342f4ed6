import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadApplication } from './targets.ts'

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
      'language is not a key of this table; known here: compute_limit_ms, engine, entry, intl, members, node_compat, shared_stores',
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

  it('is refused with an engine that has no limit', async () => {
    const both = target('compute_limit_ms = 1000', 'engine = "starlingmonkey"')
    await expect(both).rejects.toThrow('has no effect with the engine starlingmonkey')
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

  it('is refused with an engine that cannot have it', async () => {
    const both = target('intl = true', 'engine = "starlingmonkey"')
    await expect(both).rejects.toThrow('has no effect with the engine starlingmonkey')
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
