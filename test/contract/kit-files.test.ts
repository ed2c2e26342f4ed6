// What `ftl test` reports for files that are not components, and for components with settings.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools'
import { checkComponent, type ContractReport, expectComponent } from 'ftl/contract-test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MANIFESTS } from '../support/manifests.ts'

const FTL = fileURLToPath(new URL('../../cli/bin/ftl.mjs', import.meta.url))
const HANDLER = '(instance $h) (export "wasi:http/incoming-handler@0.2.10" (instance $h))'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-kit-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function file(content: string | Uint8Array): Promise<string> {
  const path = join(folder, 'odd.wasm')
  await writeFile(path, typeof content === 'string' ? await parse(content) : content)
  return path
}

function ftl(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [FTL, 'test', ...args], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

describe('a file that cannot be a component of ours', () => {
  it.each([
    ['a core module', '(module)', 'component.handler', /core module/, /wasm32-wasip2/],
    [
      'a component without a handler',
      '(component)',
      'component.handler',
      /does not export/,
      /HTTP/,
    ],
    [
      'an import that not every platform has',
      `(component (import "wasi:keyvalue/store@0.2.0-draft2" (instance)) ${HANDLER})`,
      'component.imports',
      /wasi:keyvalue\/store@0\.2\.0-draft2/,
      /wit\/world\.wit/,
    ],
  ])('%s is recognised', async (_, wat, id, reason, todo) => {
    const path = await file(wat)
    const { verdicts } = await checkComponent(path)
    const failed = verdicts.find(({ verdict }) => verdict === 'fail')
    expect(failed?.id).toBe(id)
    expect(failed?.reason).toMatch(reason)
    expect(failed?.fix).toMatch(todo)
    await expect(expectComponent(path)).rejects.toThrow(`${id}: `)
  })

  it('is not WebAssembly at all', async () => {
    const { verdicts } = await checkComponent(await file(new TextEncoder().encode('hello, world')))
    expect(verdicts[0]?.reason).toMatch(/is not a WebAssembly file/)
  })
})

describe('ftl test', () => {
  it('says what to run when the file is not there', async () => {
    const { code, stderr } = await ftl(join(folder, 'none.wasm'))
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/there is no .*none\.wasm: run ftl build/),
    ])
  })

  it('names the components there are', async () => {
    const { code, stderr } = await ftl('nobody', '--from', MANIFESTS.kit)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/no component "nobody"; it has faulty/),
    ])
  })

  it('ends with 1 and the report where a rule is broken', async () => {
    const { code, stdout } = await ftl(await file('(module)'), '--json')
    const report = JSON.parse(stdout) as ContractReport
    expect([code, report.contract, report.failed]).toEqual([1, 1, 1])
  })

  it('tries a component with the settings of its manifest, and calls the given tool', async () => {
    const args = ['--from', MANIFESTS.application, '--tool', 'echo', '--args', '{"message":"hi"}']
    const { code, stdout } = await ftl('echo', ...args)
    expect(stdout).toMatch(/✓ call\.answer/)
    expect(stdout).toMatch(/- jobs\.record[^]*skipped: no tool started a job/)
    expect(code).toBe(0)
  })

  it('wants to know whose arguments they are', async () => {
    const { code, stderr } = await ftl('echo', '--args', '{}')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/name it with --tool/)])
  })
})
