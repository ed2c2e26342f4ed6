import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ToolResult } from 'ftl-client'
import { resultTexts } from './call-result.ts'
import { savedFiles } from './saved-files.ts'

const image = (mimeType: string) => ({
  type: 'image' as const,
  mimeType,
  data: Buffer.from('bytes').toString('base64'),
})

const textsOf = async (result: ToolResult, tool: string, folder: string) =>
  (await resultTexts(result, { tool, files: savedFiles({ folder }) })).map(({ text }) => text)

test('a picture becomes a file, and its line says where it lies', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'ftl-result-')), 'new')
  const texts = await textsOf(
    { content: [{ type: 'text', text: 'Here' }, image('image/png'), image('image/jpeg')] },
    'draw/../it',
    folder,
  )
  expect(texts).toEqual([
    'Here',
    `${join(folder, 'draw_.._it-1.png')} (image/png, 5 bytes)`,
    `${join(folder, 'draw_.._it-2.jpg')} (image/jpeg, 5 bytes)`,
  ])
  expect(readFileSync(join(folder, 'draw_.._it-1.png'), 'utf8')).toBe('bytes')
})

test('a link that a text names is shown once', async () => {
  const link = (uri: string) => ({ type: 'resource_link' as const, name: 'x', uri })
  const [first, second] = ['https://a.example/1', 'https://a.example/12']
  const content = [{ type: 'text' as const, text: `Made it\n${second}` }, link(first), link(second)]
  expect(await textsOf({ content }, 'draw', '/unused')).toEqual([`Made it\n${second}`, first])
})

test('a type of the server cannot name a path', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ftl-result-'))
  const [text = ''] = await textsOf({ content: [image('image/../../x')] }, 'draw', folder)
  const [path = ''] = text.split(' ')
  expect(path).toBe(join(folder, 'draw-1.bin'))
  expect(existsSync(path)).toBe(true)
})

test('a file that cannot be written is a failure, and the other contents are shown', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'ftl-result-')), 'file')
  writeFileSync(file, '')
  const content = [image('image/png'), { type: 'text' as const, text: 'seed 7' }]
  const texts = await resultTexts(
    { content },
    { tool: 'draw', files: savedFiles({ folder: file }) },
  )
  expect(texts).toEqual([
    {
      text: 'A file of the result was not saved: the path names a file, or leads through one',
      isFailure: true,
    },
    { text: 'seed 7' },
  ])
})

test('texts of resources are shown, and their bytes are saved', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ftl-result-'))
  const resource = { uri: 'note://1', mimeType: 'text/plain' }
  const [text, blob = ''] = await textsOf(
    {
      content: [
        { type: 'resource', resource: { ...resource, text: 'Buy paper' } },
        { type: 'resource', resource: { ...resource, blob: 'aGk=' } },
      ],
    },
    'notes',
    folder,
  )
  expect(text).toBe('Buy paper')
  expect(blob).toBe(`${join(folder, 'notes-1.txt')} (text/plain, 2 bytes)`)
})

describe('files that a result links to', () => {
  const requests: string[] = []
  const server = createServer(({ url = '', headers }, response) => {
    requests.push(`${url} ${String(headers['x-key'])}`)
    if (url === '/gone') {
      const error = { code: 'output_gone', message: 'It was deleted there.' }
      response.writeHead(410).end(JSON.stringify({ error }))
    } else if (url === '/redirect') response.writeHead(302, { location: '/a.png' }).end()
    else if (url === '/endless-error') {
      response.writeHead(500)
      const more = () => {
        while (response.write(Buffer.alloc(2 ** 16))) if (response.destroyed) return
        response.once('drain', more)
      }
      more()
    } else if (url === '/breaks') response.write('half', () => response.destroy())
    else if (url === '/silent') response.write('half')
    else response.end('bytes')
  })
  let origin = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const save = async (uri: string, folder = mkdtempSync(join(tmpdir(), 'ftl-result-'))) => {
    requests.length = 0
    const links = {
      url: `${origin}/mcp`,
      headers: { 'x-key': 'k' },
      signal: new AbortController().signal,
      timeoutMs: 500,
    }
    const content = [{ type: 'resource_link' as const, uri, name: 'x', mimeType: 'image/png' }]
    const options = { tool: 'draw', files: savedFiles({ folder }), links }
    const [text] = await resultTexts({ content }, options)
    return { text: text?.text, isFailure: text?.isFailure, folder, saved: readdirSync(folder) }
  }

  test('are saved under the name in their address, with the headers of the server', async () => {
    const { text, folder } = await save(`${origin}/outputs/a.png?x=1`)
    expect(text).toBe(`${join(folder, 'a.png')} (image/png, 5 bytes)`)
    expect(readFileSync(join(folder, 'a.png'), 'utf8')).toBe('bytes')
    expect(requests).toEqual(['/outputs/a.png?x=1 k'])
  })

  test('cannot choose a folder', async () => {
    expect((await save(`${origin}/..%2f..%2f.ssh%2fid`)).saved).toEqual(['_.._.ssh_id'])
  })

  test.each([
    'http://169.254.169.254/latest',
    'file:///etc/passwd',
    'http://localhost:1/x',
    'note:x',
  ])('are not fetched from another address: %s', async (uri) => {
    const { text, isFailure, saved } = await save(uri)
    expect(text).toBe(`${uri} (not saved: it is at another address)`)
    expect([isFailure, saved, requests]).toEqual([undefined, [], []])
  })

  test.each([
    ['/gone', 'the server answered with status 410: It was deleted there.'],
    ['/redirect', 'the server answered with status 302'],
    ['/endless-error', 'the server answered with status 500'],
    ['/breaks', 'the connection to the server broke'],
    ['/silent', 'the server sent nothing for 0.5 s'],
  ])('that cannot be fetched are a failure that says why: %s', async (path, reason) => {
    const { text, isFailure, saved } = await save(`${origin}${path}`)
    expect(text).toBe(`${origin}${path} was not saved: ${reason}`)
    expect([isFailure, saved]).toEqual([true, []])
  })
})
