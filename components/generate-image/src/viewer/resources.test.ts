import { startSimulator, type Simulator } from 'ftl-comfyui/simulator'
import type { JobRecord } from 'ftl-contract'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testCall } from '../testing/call.ts'
import { call, machine, mounts, ready, start } from '../testing/machine.ts'
import { inline, pictureResource } from './resources.ts'

const files = mounts(new URL('../../', import.meta.url))
const NAME = '0f8fad5b-d9cb-469f-a165-70867728950e.webp'

interface Read {
  contents: { uri: string; mimeType: string; text?: string; blob?: string }[]
}

describe('a picture as a resource', () => {
  const read = (bytes: Uint8Array<ArrayBuffer> | null, name = NAME) => {
    const opened: string[] = []
    const resource = pictureResource(async (file) => {
      opened.push(file)
      return new Response(bytes, { status: bytes ? 200 : 404 })
    })
    return { opened, answer: resource.read(`picture://generate-image/${name}`, testCall()) }
  }

  it('has the bytes of the file, whatever they are', async () => {
    const bytes = Uint8Array.from(randomBytes(100_001))
    const { contents } = (await read(bytes).answer) as Read
    expect(contents).toEqual([
      {
        uri: `picture://generate-image/${NAME}`,
        mimeType: 'image/webp',
        blob: Buffer.from(bytes).toString('base64'),
      },
    ])
  })

  it('too large for an answer says what to do instead', async () => {
    await expect(read(new Uint8Array(5_500_001)).answer).rejects.toThrow('too large')
    await expect(read(new Uint8Array(5_500_000)).answer).resolves.toBeDefined()
  })

  it('is looked for under names of outputs only', async () => {
    for (const name of ['secret.txt', `..%2f${NAME}`, `${NAME}%3fx=1`]) {
      const { opened, answer } = read(new Uint8Array(1), name)
      expect(await answer).toBeUndefined()
      expect(opened).toEqual([])
    }
    expect(await read(null).answer).toBeUndefined()
  })
})

describe('through the component', () => {
  let simulator: Simulator
  beforeAll(async () => (simulator = await startSimulator({ port: 0, renderSeconds: 0.05 })))
  afterAll(() => simulator.close())

  it("another caller's picture is not to be read", async () => {
    const on = machine(simulator.url, { files })
    const as = (who: string) => ({ headers: { 'ftl-principal': who } })
    const { id } = await start(on, { prompt: 'secret' }, as('alice').headers)
    await expect
      .poll(async () => {
        on.pass(1001)
        return ((await (await call(on, `/jobs/${id}`, as('alice'))).json()) as JobRecord).status
      }, ready)
      .toBe('completed')
    const path = `/resources?uri=${encodeURIComponent(`picture://generate-image/${id}.png`)}`
    expect((await call(on, path, as('mallory'))).status).toBe(404)
    const { contents } = (await (await call(on, path, as('alice'))).json()) as Read
    const served = await (await call(on, `/outputs/${id}.png`, as('alice'))).arrayBuffer()
    expect(contents[0]?.blob).toBe(Buffer.from(served).toString('base64'))
  })
})

const PAGE =
  '<head><link rel="stylesheet" href="./a-1.css" /></head><script type="module" src="./b-2.js"></script>'

describe('a page as one document', () => {
  it('has its scripts and styles inside', () => {
    const files = { 'a-1.css': { body: 'p{margin:0}' }, 'b-2.js': { body: 'run("$&")' } }
    expect(inline({ html: PAGE, files })).toBe(
      '<head><style>p{margin:0}</style></head><script type="module">run("$&")</script>',
    )
  })

  it('keeps a script whole when one of its strings contains an end tag', () => {
    const body = 'a="</script><!--"'
    const html = inline({ html: PAGE, files: { 'a-1.css': { body: '' }, 'b-2.js': { body } } })
    expect(html.match(/<\/script>/g)).toHaveLength(1)
    expect(html).not.toContain('<!--')
  })

  it('is refused when something is missing or cannot be put in', () => {
    expect(() => inline({ html: PAGE, files: {} })).toThrow('b-2.js')
    expect(() => inline({ html: '<img src="./c.png">', files: {} })).toThrow('c.png')
  })
})
