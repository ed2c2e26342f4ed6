import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { offeredBy } from './sources.ts'

let server: Server
afterEach(() => server.close())

async function serve(files: Record<string, unknown>): Promise<string> {
  server = createServer((request, response) => {
    const file = files[decodeURIComponent(request.url ?? '')]
    response.writeHead(file === undefined ? 404 : 200).end(JSON.stringify(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('the templates of a server are read once each, whatever categories have them', async () => {
  const url = await serve({
    '/comfyui/templates/index.json': [
      { templates: [{ name: 'b c' }, { name: 'a' }, { title: 'no name' }] },
      { templates: [{ name: 'a' }] },
      'no category',
    ],
    '/comfyui/templates/a.json': { nodes: [] },
    '/comfyui/templates/b c.json': { nodes: [1] },
  })
  const found = await offeredBy(`${url}/comfyui/`)
  expect(found.map(({ name }) => name)).toEqual(['a.json', 'b c.json'])
  expect(await Promise.all(found.map(({ read }) => read()))).toEqual([
    { nodes: [] },
    { nodes: [1] },
  ])
})

it('a server without templates is an error that says what to do', async () => {
  await expect(offeredBy(await serve({}))).rejects.toThrow(/404; name a folder/)
})
