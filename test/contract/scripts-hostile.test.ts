// Tools that misbehave where they have no sandbox of their own: `ftl build --target`.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXTERNAL_URL } from '../support/application.ts'
import { ftl, REPOSITORY } from '../support/command.ts'
import { type RunningScript, startOnNode, startOnWorkerd } from '../support/scripts.ts'

const TOOL = `import { createTool } from 'ftl-sdk'
const tools = [
  createTool({ metadata: { name: 'leaves' }, handler: () => {
    void Promise.reject(new Error('left behind'))
    setTimeout(() => { throw new Error('thrown later') }, 0)
    return 'left'
  } }),
  createTool({
    metadata: { name: 'reaches', inputSchema: { type: 'object', properties: { url: { type: 'string' } } } },
    handler: async (input) => {
      const { url } = input as { url: string }
      try {
        return (await fetch(url)).status + ''
      } catch (error) {
        return String(error)
      }
    },
  }),
]
export { tools }
`

const MANIFEST = `spin_manifest_version = 2
[application]
name = "wild"
[variables]
open = { required = true }
[[trigger.http]]
route = { private = true }
component = "wild"
[component.wild]
source = "dist/wild.wasm"
allowed_outbound_hosts = ["{{ open }}"]
[component.wild.tool.ftl]
entry = "wild.ts"
`

let folder = ''
let server: Server
let origin = ''
beforeAll(async () => {
  folder = await mkdtemp(join(REPOSITORY, '.ftl', 'wild-'))
  await writeFile(join(folder, 'wild.ts'), TOOL)
  await writeFile(join(folder, 'spin.toml'), MANIFEST)
  server = createServer((request, response) => {
    const isMoved = request.url === '/moved'
    response
      .writeHead(isMoved ? 302 : 200, isMoved ? { location: 'http://127.0.0.2:9/' } : {})
      .end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

describe.skipIf(EXTERNAL_URL !== undefined).each(['node', 'workers'] as const)(
  'on %s',
  (target) => {
    let running: RunningScript
    beforeAll(async () => {
      const command = ftl(['build', 'wild', '--target', target, '--from', folder])
      expect(await command.exited, command.output()).toBe(0)
      const built = join(folder, 'dist', target, 'wild')
      running = await (target === 'node'
        ? startOnNode(built, { open: origin })
        : startOnWorkerd(built, { open: origin }))
    })
    afterAll(() => running?.close())

    const call = async (tool: string, args: object = {}) => {
      const init = { method: 'POST', body: JSON.stringify(args) }
      const response = await fetch(`${running.url}/${tool}`, init)
      const { content } = (await response.json()) as { content: { text: string }[] }
      return content[0]?.text
    }

    it('an error that a tool leaves behind does not end the server', async () => {
      expect(await call('leaves')).toBe('left')
      // workerd does not print it.
      if (target === 'node') await expect.poll(() => running.output()).toContain('left behind')
      expect(await call('leaves')).toBe('left')
    })

    it('the global fetch keeps to the allowed hosts', async () => {
      expect(await call('reaches', { url: `${origin}/` })).toBe('200')
      expect(await call('reaches', { url: 'http://127.0.0.2:9/' })).toContain('HttpRequestDenied')
      expect(await call('reaches', { url: `${origin}/moved` })).toContain('HttpRequestDenied')
    })
  },
)
