// `ftl inspect`: the official Inspector really starts, answers, and ends with us.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApplication, type TestApplication } from '../support/application.ts'
import { freePort, ftl } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { descendants, processes } from '../support/processes.ts'

let application: TestApplication
let home: string
let env: Record<string, string>
beforeAll(async () => {
  application = await startApplication({ manifest: MANIFESTS.application })
  home = await mkdtemp(join(tmpdir(), 'ftl-inspect-'))
  env = { HOME: home, MCP_INSPECTOR_SECRET_STORE: 'memory' }
})
afterAll(async () => {
  await application.close()
  await rm(home, { recursive: true, force: true })
})

it('the page is served, on the gateway that was named, and gone after Ctrl-C', async () => {
  const ports = ['--port', String(await freePort()), '--sandbox-port', String(await freePort())]
  const command = ftl(['inspect', '--url', `${application.url}/mcp`, ...ports], { env })
  await command.printed(/http:\S+\?MCP_INSPECTOR_API_TOKEN=\w+/)
  const [address = ''] = /http:\S+MCP_INSPECTOR_API_TOKEN=\w+/.exec(command.output()) ?? []
  const page = await fetch(address)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toContain('text/html')
  const token = new URL(address).searchParams.get('MCP_INSPECTOR_API_TOKEN') ?? ''
  const config = await fetch(new URL('/api/config', address), {
    headers: { 'x-mcp-remote-auth': `Bearer ${token}` },
  })
  expect(await config.json()).toMatchObject({ defaultServerUrl: `${application.url}/mcp` })

  const started = (await descendants(command.pid)).map(({ pid }) => pid)
  expect(started).not.toEqual([])
  command.signal('SIGINT')
  await command.exited
  const left = async () => (await processes()).filter(({ pid }) => started.includes(pid))
  await expect.poll(left, { timeout: 5000 }).toEqual([])
  await expect(fetch(address)).rejects.toThrow()
})

it('--cli passes on what follows', async () => {
  const args = ['inspect', '--cli', '--url', `${application.url}/mcp`, '--method', 'tools/list']
  const command = ftl(args, { env })
  expect(await command.exited).toBe(0)
  expect(command.output()).toContain('"get_job"')
})

it('nothing is started where no gateway answers', async () => {
  const command = ftl(['inspect', '--url', 'http://127.0.0.1:9/mcp'], { env })
  expect(await command.exited).toBe(1)
  expect(command.output()).toMatch(/no answer from .*\n.*whether the gateway is running/)
})
