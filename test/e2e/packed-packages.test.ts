// What a user does with the packages, in a folder that knows nothing of this repository.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../support/command.ts'
import { packedPackages } from '../support/packed.ts'
import { UserShell } from './user-shell.ts'

/** Installing takes what the network takes. */
const MINUTES = 5 * 60_000

const MANIFEST = `spin_manifest_version = 2

[application]
name = "hello"

[[trigger.http]]
route = "/..."
component = "mcp-gateway"

[component.mcp-gateway]
source = "dist/mcp-gateway.wasm"
allowed_outbound_hosts = ["http://*.spin.internal"]
key_value_stores = ["default"]

[component.mcp-gateway.variables]
tool_components = "greet"

[component.mcp-gateway.tool.ftl]
entry = "ftl-gateway"

[[trigger.http]]
route = { private = true }
component = "greet"

[component.greet]
source = "dist/greet.wasm"

[component.greet.tool.ftl]
entry = "src/tool.ts"
`

const TOOL = `import { createTool, ToolResponse } from 'ftl-sdk'
import * as z from 'zod'

export const tool = createTool({
  metadata: { name: 'greet', description: 'Says hello', inputSchema: z.object({ name: z.string() }) },
  handler: async ({ name }: { name: string }) => ToolResponse.text(\`Hello, \${name}!\`),
})
`

let folder: string
let application: string
const shell = new UserShell()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-packed-'))
  // A space, because people have them in the names of their folders.
  application = join(folder, 'my application')
  await mkdir(join(application, 'src'), { recursive: true })
  const { packed } = await packedPackages()
  const devDependencies = Object.fromEntries(
    packed
      .filter(({ name }) => name !== 'ftl-bridge')
      .map(({ name, tarball }) => [name, `file:${tarball}`]),
  )
  const manifest = {
    name: 'hello',
    private: true,
    type: 'module',
    dependencies: { zod: '4.6.7' },
    devDependencies,
  }
  await writeFile(join(application, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(application, 'spin.toml'), MANIFEST)
  await writeFile(join(application, 'src/tool.ts'), TOOL)
  await shell.run('npm', ['install'], application)
}, MINUTES)

afterAll(async () => {
  await shell.close()
  await rm(folder, { recursive: true, force: true })
})

const npx = (...args: string[]) => shell.run('npx', ['--no-install', ...args], application)

async function serve(command: 'start' | 'up') {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const args = ['--no-install', 'ftl', command, '--listen', `127.0.0.1:${port}`]
  const served = shell.start('npx', args, application)
  const ready = command === 'start' ? 'Ctrl-C ends everything' : url
  await shell.timed(`ftl ${command}`, () => served.says(ready))
  return { url, ...served }
}

describe('an application made of the packages', { timeout: MINUTES }, () => {
  it('is built by ftl build, the gateway from its package', async () => {
    const printed = await npx('ftl', 'build')
    expect(printed).toContain('2 of 2 components built')
    expect(await npx('ftl', 'build')).toContain('0 of 2 components built')
  })

  it('is served by ftl up, and its tool called by ftl call', async () => {
    const { url, stop } = await serve('up')
    const address = ['--url', `${url}/mcp`]
    expect(await npx('ftl', 'call', 'greet', 'name=Ada', ...address)).toBe('Hello, Ada!\n')
    expect(await npx('ftl', 'tools', ...address)).toContain('greet  Says hello')
    // Its state is its own: the next one is served from the same folder.
    await stop()
  })

  it('is started without services it has no use for, and says how to call its own tool', async () => {
    const { url, printed } = await serve('start')
    expect(printed()).not.toMatch(/bridge|ComfyUI/i)
    const [, body = ''] = /-d '(.*)'$/m.exec(printed()) ?? []
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(await response.json()).toMatchObject({
      result: {
        content: [{ type: 'text', text: expect.stringMatching(/^Hello, \w+!$/) as unknown }],
      },
    })
  })

  it('gets an error that names the package of the bridge', async () => {
    await expect(npx('ftl', 'bridge')).rejects.toMatchObject({
      // Nothing is published: the file beside that of ftl.
      stderr: expect.stringMatching(/npm install \/\S+\/ftl-bridge-\d+\.\d+\.\d+\.tgz/) as unknown,
    })
  })

  it('gets an error that names the missing package of an entry', async () => {
    const other = join(application, 'other.toml')
    await writeFile(other, MANIFEST.replace('entry = "ftl-gateway"', 'entry = "ftl-other/tool"'))
    await expect(npx('ftl', 'build', '--from', other)).rejects.toMatchObject({
      stderr: expect.stringMatching(
        /\[component\.mcp-gateway\.tool\.ftl\] entry: .*no package "ftl-other\/tool"[^]*npm install ftl-other"/,
      ) as unknown,
    })
  })
})
