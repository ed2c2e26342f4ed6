// `ftl doctor` on a machine and application with something wrong, and on one with nothing.
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApplication, type TestApplication } from '../support/application.ts'
import { freePort, ftl } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { devFolder, manifest } from './dev-application.ts'

interface Report {
  problems: number
  findings: { level: string; about: string; message: string; remedy?: string }[]
}

let folder: string
let ports: string[]
beforeAll(async () => {
  folder = await devFolder()
  const [gateway, bridge, comfyui] = [await freePort(), await freePort(), await freePort()]
  ports = ['--listen', `127.0.0.1:${gateway}`, '--bridge-port', `${bridge}`]
  ports.push('--comfyui-port', `${comfyui}`)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function doctor(...args: string[]): Promise<Report & { code: number | null }> {
  const command = ftl(['doctor', '--json', ...args], { cwd: folder })
  const code = await command.exited
  return { ...(JSON.parse(command.output()) as Report), code }
}

const about = ({ findings }: Report, name: string) =>
  findings.filter((finding) => finding.about === name)

describe('ftl doctor', () => {
  it('says what is not built, and that it is when it is', async () => {
    const before = await doctor(...ports)
    expect(about(before, 'component word')).toMatchObject([
      { level: 'problem', message: 'dist/word.wasm is not there', remedy: 'ftl build word' },
    ])
    expect(before.code).toBe(1)

    expect(await ftl(['build'], { cwd: folder }).exited).toBe(0)
    const built = await doctor(...ports)
    expect(about(built, 'component word')).toMatchObject([{ level: 'ok' }])
    expect(built).toMatchObject({ code: 0, problems: 0 })

    await writeFile(
      join(folder, 'word/main.ts'),
      "import { createTool } from 'ftl-sdk'\nexport const tool = createTool({ metadata: { name: 'word', description: 'Another' }, handler: () => 'x' })\n",
    )
    const stale = await doctor(...ports)
    expect(about(stale, 'component word')).toMatchObject([
      { level: 'ok' },
      { level: 'warning', message: 'its sources have changed since it was built' },
    ])
    expect(stale.code).toBe(0)
  })

  it('names what a component imports that no platform has, and a file that is not WebAssembly', async () => {
    // A component of one import, by hand: (component (import "acme:clock/now@1.0.0" (instance)))
    const name = Buffer.from('acme:clock/now@1.0.0')
    const instanceType = [0x07, 0x03, 0x01, 0x42, 0x00]
    const entry = [0x01, 0x00, name.length, ...name, 0x05, 0x00]
    const head = [0x00, 0x61, 0x73, 0x6d, 0x0d, 0x00, 0x01, 0x00]
    const wasm = Buffer.from([...head, ...instanceType, 0x0a, entry.length, ...entry])
    await writeFile(join(folder, 'odd.wasm'), wasm)
    await writeFile(join(folder, 'bad.wasm'), 'not wasm at all')
    const more = ['odd', 'bad'].map((id) => `[component.${id}]\nsource = "${id}.wasm"\n`).join('')
    await writeFile(join(folder, 'spin.toml'), manifest('word') + more)
    const report = await doctor(...ports)
    expect(about(report, 'component odd')).toContainEqual(
      expect.objectContaining({
        level: 'problem',
        message: expect.stringContaining('imports acme:clock/now@1.0.0') as string,
      }),
    )
    expect(about(report, 'component bad')).toContainEqual(
      expect.objectContaining({ level: 'problem', message: 'its file is not a WebAssembly file' }),
    )
    await writeFile(join(folder, 'spin.toml'), manifest('word'))
  })

  it('names the key of spin.toml that Spin does not know', async () => {
    await writeFile(join(folder, 'spin.toml'), manifest('word').replace('source =', 'sauce ='))
    const report = await doctor(...ports)
    expect(about(report, 'spin.toml')).toMatchObject([{ level: 'problem' }])
    expect(about(report, 'spin.toml')[0]?.message).toMatch(/component\.mcp-gateway\.(source|sauce)/)
    expect(report.code).toBe(1)
    await writeFile(join(folder, 'spin.toml'), manifest('word'))
  })

  it('names who has a port', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    try {
      const report = await doctor('--listen', `127.0.0.1:${port}`)
      const [finding] = about(report, `port ${port}`)
      expect(finding).toMatchObject({ level: 'warning' })
      expect(finding?.remedy).toContain('--listen')
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
  })

  it('for people, each finding that is not good says what to do', async () => {
    const command = ftl(['doctor', ...ports], { cwd: folder })
    await command.exited
    expect(command.output()).toMatch(/^ {2}! component word: .*\n {6}→ ftl build word$/m)
    expect(command.output()).toMatch(/\d+ problems?, \d+ warnings?\n$/)
  })
})

describe('ftl doctor --url', () => {
  let application: TestApplication
  beforeAll(async () => {
    application = await startApplication({ manifest: MANIFESTS.application })
  })
  afterAll(() => application.close())

  it('tells how a gateway and each of its components are doing', async () => {
    const report = await doctor('--url', `${application.url}/mcp`)
    expect(about(report, 'gateway')).toMatchObject([{ level: 'ok' }])
    expect(about(report, 'component echo')).toMatchObject([
      { level: 'ok', message: 'answers, with 1 tool' },
    ])
    expect(report.code).toBe(0)
  })

  it('says that no gateway answers', async () => {
    const report = await doctor('--url', 'http://127.0.0.1:9')
    expect(about(report, 'gateway')).toMatchObject([{ level: 'problem' }])
    expect(report.code).toBe(1)
  })
})
