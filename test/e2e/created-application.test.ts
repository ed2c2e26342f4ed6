// What a new application can have, without this repository: the parts of "ftl add", settings, a name of its own, and a start
// without what only its author needs.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, REPOSITORY } from '../support/command.ts'
import { packedPackages } from '../support/packed.ts'
import { UserShell } from './user-shell.ts'

/** Installing takes what the network takes. */
const MINUTES = 5 * 60_000

const CREATE = join(REPOSITORY, 'create-ftl-tool/bin/create-ftl-tool.mjs')
const PARTS = ['web', 'chat', 'comfyui', 'remote']

const INTRODUCTION = `
[application.tool.ftl]
title = "Eggs and more"
instructions = "Boil an egg before you draw it."
icons = [{ src = "https://eggs.example/egg.png" }]
`

let folder: string
let application: string
const shell = new UserShell()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-created-'))
  const { folder: packages } = await packedPackages()
  const args = [CREATE, 'egg', '--template', 'job', '--yes', '--packages', packages]
  await shell.run(process.execPath, [...args, '--with', PARTS.join()], folder)
  application = join(folder, 'egg')
  await writeFile(
    join(application, 'spin.toml'),
    (await manifest()).replace(/(\[application\][^[]*)/, `$1${INTRODUCTION.trim()}\n\n`),
  )
}, MINUTES)

afterAll(async () => {
  await shell.close()
  await rm(folder, { recursive: true, force: true })
})

const ftl = (...args: string[]) => shell.run('npx', ['--no-install', 'ftl', ...args], application)
const failed = (...args: string[]) =>
  ftl(...args).then(
    () => 'it succeeded',
    (error: unknown) => (error as { stderr: string }).stderr,
  )
const manifest = () => readFile(join(application, 'spin.toml'), 'utf8')

async function started(...more: string[]) {
  const [gateway, comfyui] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${gateway}`
  const ports = ['--listen', `127.0.0.1:${gateway}`, '--comfyui-port', String(comfyui)]
  const served = shell.start('npm', ['start', '--', ...ports, ...more], application)
  await shell.timed('npm start', () => served.says('Ctrl-C ends everything'))
  return { url, ...served }
}

async function rpc(url: string, method: string, params: object = {}, version = '2025-11-25') {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result } = (await response.json()) as { result: Record<string, unknown> }
  return result
}

describe('an application that was made of the packages', { timeout: MINUTES }, () => {
  it('has the parts it was made with, and gets another one by ftl add', async () => {
    const before = await manifest()
    for (const id of ['web', 'chat', 'generate-image', 'workflows', 'comfyui', 'remote']) {
      expect(before).toContain(`[component.${id}]`)
    }
    expect(before).toContain(
      'tool_components = { default = "egg,generate-image,workflows,comfyui,remote"',
    )
    const printed = await ftl('add', 'code')
    expect(printed).toContain('[component.code]')
    expect(await manifest()).toContain(',remote,code"')
    expect(await failed('add', 'code')).toContain('has the component that runs programs already')
    expect(await failed('add', 'page')).toContain(
      'must be web, chat, comfyui, remote, code, auth, npm:',
    )
  })

  it('is built as one component, of installed packages and its own tools', async () => {
    await ftl('build', '--single', 'egg', 'web')
    const single = await readFile(join(application, 'spin-single.toml'), 'utf8')
    expect(single).toContain('egg')
  })

  it('serves them without what only its author needs, and under its own name', async () => {
    await rm(join(application, 'node_modules'), { recursive: true })
    await productionInstall()
    const { url, stop } = await started()
    expect(await (await fetch(`${url}/`)).text()).toContain('<title>')
    expect(await (await fetch(`${url}/api/chat`)).json()).toHaveProperty('configured')
    const { tools } = (await rpc(url, 'tools/list')) as { tools: { name: string }[] }
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['egg', 'generate_image', 'run_code']),
    )
    expect(await rpc(url, 'initialize', INITIALIZE)).toMatchObject(INTRODUCED)
    const called = await rpc(url, 'tools/call', { name: 'egg', arguments: { seconds: 600 } })
    expect(JSON.stringify(called)).toContain('s to go')
    expect(JSON.stringify(called)).not.toContain('ws:')
    const program = { name: 'run_code', arguments: { code: 'return 6 * 7' } }
    expect(JSON.stringify(await rpc(url, 'tools/call', program))).toContain('42')
    await stop()
  })

  it('has the same name in the sandbox, as on Spin', async () => {
    const { url, stop } = await started('--sandboxed-gateway', '--no-comfyui')
    expect(await rpc(url, 'initialize', INITIALIZE)).toMatchObject(INTRODUCED)
    await stop()
  })

  it('takes every setting of the gateway, and says what to add for one that it does not declare', async () => {
    const text = await manifest()
    const without = text.replaceAll(/^request_state_key = .*\n/gm, '')
    await writeFile(join(application, 'spin.toml'), without)
    const set = ['--variable', 'request_state_key=0123456789abcdef', '--no-comfyui']
    const refused = await failed('up', ...set.slice(0, 2))
    expect(refused).toContain('request_state_key = { default = "", secret = true')
    expect(refused).toContain('request_state_key = "{{ request_state_key }}"')
    expect(await ftl('doctor', '--fix').catch(output)).toContain('declares now: request_state_key')
    const { stop } = await started(...set)
    await stop()
  })
})

const output = (error: unknown): string => (error as { stdout: string }).stdout

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
}

const INTRODUCED = {
  serverInfo: {
    name: 'egg',
    version: '0.1.0',
    title: 'Eggs and more',
    icons: [{ src: 'https://eggs.example/egg.png' }],
  },
  instructions: 'Boil an egg before you draw it.',
}

async function productionInstall(): Promise<void> {
  const child = spawn('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: application,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'ignore',
  })
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
}
