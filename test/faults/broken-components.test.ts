import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApplication, type TestApplication } from '../support/application.ts'
import { callTool, rpc } from '../support/rpc.ts'

let application: TestApplication
beforeAll(async () => (application = await startApplication()))
afterAll(() => application.close())

const SOUND = ['counter', 'echo', 'example', 'weather', 'zod3', 'generate_image']
/** The deadline of the fixtures' manifest, and time for the answer itself on a busy machine. */
const DISCOVERY_MS = 1000 + 1500

describe('broken components', () => {
  it('cost only themselves in tools/list, within the deadline', async () => {
    const started = performance.now()
    const { result } = await rpc(application.url, 'tools/list')
    expect(performance.now() - started).toBeLessThan(DISCOVERY_MS)
    const tools = (result as { tools: { name: string }[] }).tools.map(({ name }) => name)
    expect(tools).toEqual(expect.arrayContaining(SOUND))
  })

  it.each(['throws', 'html', 'hangs', 'drips', 'nameless', 'absent'])(
    'that %s are reported, with nothing of their inside',
    async (component) => {
      const { result } = await rpc(application.url, 'tools/list')
      const reported = JSON.stringify(result?.['_meta'])
      expect(reported).toContain(`"${component}"`)
      expect(reported).not.toContain('secret')
      const health = await fetch(`${application.url}/health/components`)
      expect(await health.text()).toContain(`"${component}"`)
    },
  )

  it('do not disturb a call to a sound one', async () => {
    const listing = rpc(application.url, 'tools/list')
    const { result } = await callTool(application.url, 'echo', { message: 'still here' })
    expect(result).toEqual({ content: [{ type: 'text', text: 'still here' }] })
    await listing
  })
})

describe('a tool that crashes', () => {
  it('is told as failed, and the next call finds the component well', async () => {
    const { error } = await callTool(application.url, 'crashes')
    expect(error).toMatchObject({ code: -32002, data: { tool: 'crashes' } })
    expect(JSON.stringify(error)).not.toContain('secret')
    expect((await callTool(application.url, 'refuses')).result).toMatchObject({ isError: true })
  })
})

describe('instances', () => {
  it('share nothing between two requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => callTool(application.url, 'counter')),
    )
    for (const { result } of answers) {
      expect(result).toEqual({ content: [{ type: 'text', text: '1 1' }] })
    }
    for (let call = 0; call < 40; call++) {
      const { result } = await callTool(application.url, 'counter')
      expect(result).toEqual({ content: [{ type: 'text', text: '1 1' }] })
    }
  })
})
