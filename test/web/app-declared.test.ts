// What the gateway says of the picture viewer, and what clients without MCP Apps get.
import { getUiCapability, RESOURCE_MIME_TYPE } from '@modelcontextprotocol/ext-apps/server'
import { getToolUiResourceUri } from '@modelcontextprotocol/ext-apps/app-bridge'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { EXTERNAL_URL } from '../support/application.ts'
import { startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => (world = await startWorld()))
afterAll(() => world.close())

async function connect(mode: 'legacy' | 'auto', extensions = {}) {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode }, capabilities: { extensions } },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`)))
  return client
}

const WITH_APPS = { 'io.modelcontextprotocol/ui': { mimeTypes: [RESOURCE_MIME_TYPE] } }
const MODES = ['legacy', 'auto'] as const

it.skipIf(EXTERNAL_URL).each([
  ['the component that has it', { 'ftl/component': 'apps' }, 'a note'],
  ['no component', {}, 'a note'],
  ['another component', { 'ftl/component': 'markup' }, undefined],
  ['a component that is not there', { 'ftl/component': 'nowhere' }, undefined],
  ['something that is not a name', { 'ftl/component': 7 }, undefined],
])('a resource is read of %s only (ftl/component)', async (_, meta, expected) => {
  const client = await connect('legacy')
  const read = client.readResource({ uri: 'note://apps/one', _meta: meta })
  if (expected === undefined) await expect(read).rejects.toThrow(/resource not found/i)
  else expect((await read).contents).toMatchObject([{ text: expected }])
  await client.close()
})

it.skipIf(EXTERNAL_URL).each(MODES)('the image tools have a page (%s)', async (mode) => {
  const client = await connect(mode, WITH_APPS)
  expect(getUiCapability(client.getServerCapabilities() as object)).toEqual({})
  const { tools } = await client.listTools()
  // The application has apps of other components, too.
  const paged = tools.filter(
    (tool) => getToolUiResourceUri(tool) !== undefined && tool.name.endsWith('_image'),
  )
  expect(paged.map(({ name }) => name)).toEqual(['generate_image', 'upscale_image'])
  const [uri = ''] = paged.map((tool) => getToolUiResourceUri(tool) ?? '')
  expect(new URL(uri).protocol).toBe('ui:')
  const { resources } = await client.listResources()
  expect(resources.find((resource) => resource.uri === uri)?.mimeType).toBe(RESOURCE_MIME_TYPE)
  const [content] = (await client.readResource({ uri })).contents
  // A host lets the page reach the bridge, for previews, and nothing else.
  const connectDomains = [world.bridgeUrl.replace('http', 'ws')]
  const _meta = { ui: { csp: { connectDomains }, prefersBorder: true } }
  expect(content).toMatchObject({ uri, mimeType: RESOURCE_MIME_TYPE, _meta })
  expect(content?._meta).toEqual(_meta)
  const html = content && 'text' in content ? content.text : ''
  expect(html.length).toBeLessThan(40 * 1024)
  expect(html).not.toMatch(/\s(?:src|href)=|@import|url\(|\bimport\s*["'(]/)
  await client.close()
})

it.skipIf(EXTERNAL_URL).each(MODES)(
  'a client without MCP Apps gets the same result; since 2026-07-28 the picture as well (%s)',
  async (mode) => {
    const given = { name: 'generate_image', arguments: { prompt: 'a plain result', seed: 11 } }
    const results = []
    const pictures: number[] = []
    for (const extensions of [{}, WITH_APPS]) {
      const client = await connect(mode, extensions)
      const { content, structuredContent, isError } = await client.callTool(given)
      expect(isError).toBeFalsy()
      const shown = content as { type: string }[]
      const others = shown.filter(({ type }) => type !== 'image')
      pictures.push(shown.length - others.length)
      const text = JSON.stringify({ content: others, structuredContent })
      expect(text).not.toContain('ui://')
      results.push(text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID'))
      await client.close()
    }
    expect(results[0]).toBe(results[1])
    // The viewer shows the picture. Whether an older client has one is not known, so it never gets the picture.
    expect(pictures).toEqual(mode === 'auto' ? [1, 0] : [0, 0])
    expect(JSON.parse(results[0] ?? '')).toMatchObject({
      content: [
        {
          type: 'text',
          text: expect.stringMatching(`with seed 11 .*\n${world.url}/outputs/ID\\.png$`) as string,
        },
        { type: 'resource_link', mimeType: 'image/png', uri: `${world.url}/outputs/ID.png` },
      ],
      structuredContent: { seed: 11, images: [`${world.url}/outputs/ID.png`] },
    })
  },
)

it.skipIf(EXTERNAL_URL)('a client that wants to wait less gets the handle sooner', async () => {
  const client = await connect('legacy')
  const { structuredContent } = await client.callTool({
    name: 'generate_image',
    arguments: { prompt: 'soon' },
    _meta: { 'ftl/wait_ms': 0 },
  })
  expect(structuredContent).toMatchObject({ status: 'working' })
  await client.close()
})

it.skipIf(EXTERNAL_URL)('a picture is a resource; a missing one is an error', async () => {
  const client = await connect('legacy')
  const { structuredContent } = await client.callTool({
    name: 'generate_image',
    arguments: { prompt: 'as bytes', seed: 5 },
  })
  const { images } = structuredContent as { images: string[] }
  const file = images[0]?.split('/').at(-1) ?? ''
  const { contents } = await client.readResource({ uri: `picture://generate-image/${file}` })
  const [content] = contents
  const bytes = Buffer.from(content && 'blob' in content ? content.blob : '', 'base64')
  const served = Buffer.from(await (await fetch(images[0] ?? '')).arrayBuffer())
  expect(bytes.equals(served)).toBe(true)
  expect(content?.mimeType).toBe('image/png')
  for (const name of [file.replace(/^./, (c) => (c === '0' ? '1' : '0')), 'passwd', '..%2fx.png']) {
    const uri = `picture://generate-image/${name}`
    await expect(client.readResource({ uri })).rejects.toThrow(/not found/i)
  }
  await client.close()
})
