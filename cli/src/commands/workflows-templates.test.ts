import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serverOption } from './workflows-classes.ts'
import {
  lacksOf,
  listTemplates,
  openTemplates,
  saveTemplate,
  searchTemplates,
} from './workflows-templates.ts'

const about = (name: string, more: object = {}) => ({ name, title: name, ...more })
const INDEX = [
  {
    title: 'Image',
    templates: [
      about('flux_simple', { description: 'A picture', models: ['Flux'], tags: ['Text to Image'] }),
      about('flux', { description: 'Another picture', mediaType: 'image' }),
      about('song', { title: 'A song', description: 'Music like Flux', mediaType: 'audio' }),
      about('../../etc/passwd'),
      about('html'),
      about('endless'),
      about('deep'),
      about('other'),
      null,
    ],
  },
  { templates: 'x' },
]
const FLUX = {
  nodes: [
    {
      id: 1,
      type: 'UNETLoader',
      properties: {
        models: [{ name: 'a.safetensors', directory: 'unet', url: 'https://models.example/a' }],
      },
    },
    { id: 2, type: 'sub' },
    { id: 3, type: 'Note' },
  ],
  definitions: {
    subgraphs: [
      {
        id: 'sub',
        nodes: [
          { id: 1, type: 'NewNode', properties: { models: [{ name: 'b.safetensors' }, {}] } },
        ],
      },
    ],
  },
}

function fill(this: Readable): void {
  this.push(Buffer.alloc(1024 * 1024, 32))
}

let folder: string
let server: Server
let url: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-templates-'))
  await writeFile(join(folder, 'index.json'), JSON.stringify(INDEX))
  await writeFile(join(folder, 'flux.json'), JSON.stringify(FLUX))
  server = createServer((request, response) => {
    const name = /^\/templates\/([a-z]+\.json)$/.exec(request.url ?? '')?.[1]
    if (name === 'endless.json') {
      // Ends when the client has gone.
      new Readable({ read: fill }).on('error', () => undefined).pipe(response)
    } else if (name === 'html.json') response.end('<html>')
    else if (name === 'other.json') response.end('"\\u001b[2J"')
    else if (name === 'deep.json') {
      response.end(`{"nodes":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)
    } else if (name === undefined) response.writeHead(404).end()
    else void readFile(join(folder, name)).then((bytes) => response.end(bytes))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

const info = {
  UNETLoader: { input: { required: { unet_name: [['dir\\b.safetensors'], {}] } } },
}
const ODD = ['html', 'endless', 'deep', 'other']
const namesOf = (templates: { name: string }[]) =>
  templates.map(({ name }) => name).filter((name) => !ODD.includes(name))

describe('templates', () => {
  it('are those of a folder or of a server', async () => {
    const local = await listTemplates(openTemplates({ folder }))
    const remote = await listTemplates(openTemplates({ comfyui: `${url}/` }))
    expect(namesOf(local)).toEqual(['flux_simple', 'flux', 'song'])
    expect(remote).toEqual(local)
  })

  it.each([
    [['flux'], ['flux', 'flux_simple', 'song']],
    [['FLUX', 'text'], ['flux_simple']],
    [['audio'], ['song']],
    [['a song'], ['song']],
    [['nothing'], []],
    [[], ['flux_simple', 'flux', 'song']],
  ])('are found by %j', async (words, names) => {
    const all = await listTemplates(openTemplates({ folder }))
    expect(namesOf(searchTemplates(all, words))).toEqual(names)
  })

  it('say which nodes and models the server lacks, and where a model can be had', async () => {
    const open = openTemplates({ folder })
    const [flux] = searchTemplates(await listTemplates(open), ['flux'])
    expect(flux && (await lacksOf(flux, open, { info, classes: {} }))).toEqual({
      nodes: ['NewNode'],
      models: [{ name: 'a.safetensors', directory: 'unet', url: 'https://models.example/a' }],
    })
  })

  it('are saved under their name, and overwrite nothing', async () => {
    const open = openTemplates({ comfyui: url })
    const [flux] = searchTemplates(await listTemplates(open), ['flux'])
    if (!flux) throw new Error('not found')
    const path = await saveTemplate(flux, open, join(folder, 'saved'))
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(FLUX)
    await expect(saveTemplate(flux, open, join(folder, 'saved'))).rejects.toThrow('already exists')
  })

  it.each([
    ['html', /is not JSON/],
    ['endless', /more than 16777216 bytes/],
    ['deep', /not a workflow/],
    ['other', /not a workflow/],
  ])('are not saved if the server answers something else: %s', async (name, message) => {
    const open = openTemplates({ comfyui: url })
    const found = (await listTemplates(open)).find((each) => each.name === name)
    if (!found) throw new Error('not found')
    await expect(saveTemplate(found, open, join(folder, 'odd'))).rejects.toThrow(message)
    expect(existsSync(join(folder, 'odd'))).toBe(false)
  })

  it.each([
    ['nothing', {}, /--comfyui URL, or a folder/],
    ['a folder without an index', { folder: '/nowhere' }, /index.json does not exist/],
    ['a server that does not answer', { comfyui: 'http://127.0.0.1:1' }, /could not be reached/],
  ])('are not to be had of %s', async (_, from, message) => {
    await expect((async () => listTemplates(openTemplates(from)))()).rejects.toThrow(message)
  })

  it('are not to be had of a server without them', async () => {
    await expect(listTemplates(openTemplates({ comfyui: `${url}/elsewhere` }))).rejects.toThrow(
      /has no such templates; use --folder/,
    )
  })
})

it.each([
  [{ comfyui: 'http://gpu:8188' }, '--comfyui http://gpu:8188'],
  [{ comfyui: 'http://ada:secret@gpu:8188' }, '--comfyui URL'],
  [{ objectInfo: 'info.json' }, '--object-info info.json'],
  [{}, '--comfyui URL'],
])('what to type next names the server that was asked, without a password: %j', (flags, option) => {
  expect(serverOption(flags)).toBe(option)
})
