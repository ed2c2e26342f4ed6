import { afterEach, expect, it, vi } from 'vitest'
import { printWelcome } from './welcome.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function printed(names: readonly string[]): Promise<string> {
  const tools = names.map((name) => ({ name, description: name }))
  const answers: Record<string, object> = {
    '/health/components': { status: 'ok', components: [{ component: 'a', status: 'ok' }] },
    '/mcp': { result: { tools } },
  }
  vi.stubGlobal('fetch', async (url: string) => Response.json(answers[new URL(url).pathname]))
  let text = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk)
    return true
  })
  const gateway = 'http://127.0.0.1:3000'
  const none = { bridge: undefined, simulator: undefined, comfyui: undefined }
  await printWelcome({ gateway, page: false, ...none })
  return text
}

it('says where the tools are that clients search for', async () => {
  const text = await printed(['search_tools', 'describe_tools', 'use_tool', 'get_job'])
  expect(text).toContain('"ftl tools" prints it')
  expect(await printed(['greet'])).not.toContain('ftl tools')
})
