// Skills of two servers, on a host that the test controls. What the gateway lists of them is in gateway/src/skills.
import { SKILL_KEY } from 'ftl-contract'
import { toComponent } from 'ftl-sdk/serve'
import type { ContextPlatform } from 'ftl-sdk'
import { beforeEach, describe, expect, it } from 'vitest'
import { tools } from './main.ts'

interface Message {
  id?: number
  method: string
  params: Record<string, unknown>
}

const digest = `sha256:${'a'.repeat(64)}`

function skill(folder: string, files: readonly string[] = [], more: object = {}) {
  const uri = `${folder}/SKILL.md`
  const name = folder.slice(folder.lastIndexOf('/') + 1)
  const resources = [uri, ...files.map((file) => `${folder}/${file}`)].map((each) => ({
    ...{ uri: each, digest, size: 3 },
  }))
  return { uri, frontmatter: { name, description: `How to do ${name}` }, resources, ...more }
}

const EXTENSIONS = { 'io.modelcontextprotocol/skills': {} }

let skills: Record<string, unknown[] | undefined>
let resources: Record<string, object[]>
let templates: object[]
let denied: string[]
let configured: object | undefined
let extensions: object
let entries: Map<string, Uint8Array>
let asked: string[]
let now: number

beforeEach(() => {
  skills = { one: [skill('skill://refunds', ['references/policy.md'])], two: [] }
  resources = {}
  templates = []
  denied = []
  configured = undefined
  extensions = EXTENSIONS
  entries = new Map()
  asked = []
  now = 1_000_000
})

function resultOf(name: string, { method, params }: Message): object | undefined {
  switch (method) {
    case 'initialize':
      return { protocolVersion: '2025-11-25', capabilities: { resources: {}, extensions } }
    case 'resources/list':
      return { resources: resources[name] ?? [] }
    case 'resources/templates/list':
      return { resourceTemplates: templates }
    case 'skills/list':
      return skills[name] && { skills: skills[name] }
    case 'resources/read':
      asked.push(`${name} ${String(params['uri'])}`)
      return { contents: [{ uri: params['uri'], text: name }] }
    default:
      return undefined
  }
}

const platform = {
  openKeyValue: async () => ({
    get: async (key: string) => entries.get(key),
    set: async (key: string, value: string | Uint8Array) =>
      void entries.set(key, typeof value === 'string' ? new TextEncoder().encode(value) : value),
  }),
  variables: {
    get: () =>
      JSON.stringify(
        configured ?? {
          one: { url: 'http://one.example/mcp', denied },
          two: { url: 'http://two.example/mcp' },
        },
      ),
  },
  now: () => now,
  async fetch(url: string, init: RequestInit) {
    const [, name = ''] = /\/\/(\w+)\./.exec(url) ?? []
    const message = JSON.parse(init.body as string) as Message
    if (message.method === 'skills/list') asked.push(`${name} skills/list`)
    if (message.id === undefined) return new Response(null, { status: 202 })
    const result = resultOf(name, message)
    const error = { code: -32601, message: 'Method not found' }
    return Response.json({ jsonrpc: '2.0', id: message.id, ...(result ? { result } : { error }) })
  },
  waitUntil: () => undefined,
} as unknown as ContextPlatform

const component = toComponent({ tools }, 'remote')

interface Offered {
  skills?: { uri: string; files: { uri: string }[] | 'dynamic' }[]
  resources?: { uri: string; name: string; _meta?: object }[]
  resourceTemplates?: { uriTemplate: string }[]
  problems?: string[]
}

async function ask(path: string) {
  const request = new Request(`http://remote.spin.internal${path}`)
  const response = await component.fetch(request, platform)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const offered = async () => (await ask('/')).body as Offered
const urisIn = ({ skills: list = [] }: Offered) => list.map(({ uri }) => uri)
const read = (uri: string) => ask(`/resources?uri=${encodeURIComponent(uri)}`)

describe('skills of servers', () => {
  it('begin with the name of their server, so that no server can replace a skill of another', async () => {
    skills = {
      one: [skill('skill://refunds', ['references/policy.md'])],
      two: [skill('skill://refunds'), skill('skill://one/refunds')],
    }
    const offer = await offered()
    expect(urisIn(offer)).toEqual([
      'skill://one/refunds/SKILL.md',
      'skill://two/refunds/SKILL.md',
      'skill://two/one/refunds/SKILL.md',
    ])
    expect(offer.skills?.[0]).toMatchObject({
      frontmatter: { name: 'refunds', description: 'How to do refunds' },
      files: [
        { uri: 'skill://one/refunds/SKILL.md', digest, size: 3 },
        { uri: 'skill://one/refunds/references/policy.md', digest, size: 3 },
      ],
    })
    expect(offer.resources?.map(({ uri }) => uri)).toEqual(urisIn(offer))
    expect(offer.resourceTemplates?.map(({ uriTemplate }) => uriTemplate)).toEqual([
      ...['skill://one/{+file}', 'skill://two/{+file}', 'remote://{server}/{+uri}'],
    ])
  })

  it('that a server no longer has leave their addresses to no other server', async () => {
    skills = { one: [], two: [] }
    resources = {
      one: [{ uri: 'skill://ONE/own.md' }],
      two: [{ uri: 'skill://one/refunds/SKILL.md' }],
    }
    templates = [{ uriTemplate: 'skill://{+file}', name: 'Any' }]
    const { resources: shown = [] } = await offered()
    expect(shown.map(({ uri }) => uri)).toEqual([
      'skill://ONE/own.md',
      'remote://two/skill://one/refunds/SKILL.md',
    ])
    configured = { two: { url: 'http://two.example/mcp' }, one: { url: 'http://one.example/mcp' } }
    now += 3_600_001
    await offered()
    await read('skill://one/other/SKILL.md')
    expect(asked.filter((each) => each.startsWith('two skill:'))).toEqual([])
  })

  it('of other schemes have them as a folder', async () => {
    skills = {
      one: [
        skill('github://octo/docs/refunds'),
        skill('skill://github/octo/docs/refunds'),
        skill('https://octo.example/docs/refunds'),
      ],
    }
    expect(urisIn(await offered())).toEqual([
      'skill://one/github:/octo/docs/refunds/SKILL.md',
      'skill://one/github/octo/docs/refunds/SKILL.md',
      'skill://one/https:/octo.example/docs/refunds/SKILL.md',
    ])
    await read('skill://one/github:/octo/docs/refunds/SKILL.md')
    await read('skill://one/github/octo/docs/refunds/SKILL.md')
    expect(asked.slice(-2)).toEqual([
      'one github://octo/docs/refunds/SKILL.md',
      'one skill://github/octo/docs/refunds/SKILL.md',
    ])
  })

  it('are read from their server, and answers name the published address', async () => {
    const { body } = await read('skill://one/refunds/references/policy.md')
    expect(asked.at(-1)).toBe('one skill://refunds/references/policy.md')
    expect(body).toMatchObject({
      contents: [{ uri: 'skill://one/refunds/references/policy.md', text: 'one' }],
    })
  })

  it('are not requested from a server that does not declare them', async () => {
    extensions = {}
    expect(urisIn(await offered())).toEqual([])
    expect(asked).toEqual([])
  })

  it('stay listed while the server cannot list them', async () => {
    expect(urisIn(await offered())).toHaveLength(1)
    skills = { one: { length: 1 } as unknown as unknown[], two: [] }
    now += 100_000
    const offer = await offered()
    expect(urisIn(offer)).toHaveLength(1)
    expect(offer.problems?.join()).toMatch(/skills cannot be listed/)
  })

  it('whose files are made for each request are published, too', async () => {
    skills = { one: [skill('skill://live', [], { resources: 'dynamic' })] }
    expect((await offered()).skills).toMatchObject([{ files: 'dynamic' }])
    await read('skill://one/live/notes/today.md')
    expect(asked.at(-1)).toBe('one skill://live/notes/today.md')
  })
})

describe('one odd skill costs itself', () => {
  const own = 'skill://odd/SKILL.md'
  const file = (uri: unknown, more: object = {}) => ({ uri, digest, size: 1, ...more })
  it.each<[string, unknown]>([
    ['no object', 1],
    ['null', null],
    ['no uri', { frontmatter: { name: 'odd', description: 'x' }, resources: [] }],
    ['no front matter', { uri: own, resources: [file(own)] }],
    ['no name', skill('skill://odd', [], { frontmatter: { description: 'x' } })],
    ['no description', skill('skill://odd', [], { frontmatter: { name: 'odd' } })],
    ['another name', skill('skill://odd', [], { frontmatter: { name: 'even', description: 'x' } })],
    ['no resources', skill('skill://odd', [], { resources: undefined })],
    ['resources of a word', skill('skill://odd', [], { resources: 'static' })],
    ['a file that is none', skill('skill://odd', [], { resources: [file(own), null] })],
    ['a file elsewhere', skill('skill://odd', [], { resources: [file('skill://refunds/a')] })],
    ['a file without a digest', skill('skill://odd', [], { resources: [{ uri: own, size: 1 }] })],
    [
      '513 files',
      skill(
        'skill://odd',
        Array.from({ length: 513 }, (_, nth) => `${nth}`),
      ),
    ],
    ['a parent folder', skill('skill://x/../odd')],
    ['an encoded parent folder', skill('skill://x/%2e%2e/odd')],
    ['an address in capitals', skill('SKILL://odd')],
    ['a query', skill('skill://x?/odd')],
    ['no authority', skill('skill:odd')],
    ['an empty port, which makes a folder of a scheme', skill('skill://github:/octo/odd')],
  ])('%s', async (_, odd) => {
    skills = { one: [odd, skill('skill://refunds')] }
    const offer = await offered()
    expect(urisIn(offer)).toEqual(['skill://one/refunds/SKILL.md'])
    expect(offer.problems?.join()).toContain('1 of its skills')
  })

  it('the same uri again, and more than 1,000,000 bytes of entries', async () => {
    const text = 'x'.repeat(600_000)
    const large = (name: string) =>
      skill(`skill://${name}`, [], { frontmatter: { name, description: 'x', text } })
    skills = { one: [large('a'), large('b'), skill('skill://c'), skill('skill://c')] }
    const offer = await offered()
    expect(urisIn(offer)).toEqual(['skill://one/a/SKILL.md', 'skill://one/c/SKILL.md'])
    expect(offer.problems?.join()).toMatch(/1 of its skills are left out/)
  })
})

describe('a file of a skill has one address', () => {
  it('is not listed as a resource again', async () => {
    resources = {
      one: [
        { uri: 'skill://refunds/SKILL.md', name: 'x', _meta: { [SKILL_KEY]: {} } },
        { uri: 'skill://refunds/references/policy.md', name: 'y' },
        { uri: 'note://a', name: 'z' },
      ],
    }
    const { resources: listed } = await offered()
    expect(listed?.map(({ uri }) => uri)).toEqual(['skill://one/refunds/SKILL.md', 'note://a'])
    expect(JSON.stringify(listed)).not.toContain(SKILL_KEY)
  })

  it.each([
    'skill://refunds/SKILL.md',
    'skill://refunds/references/policy.md',
    'skill://refunds/%53KILL.md',
    'SKILL://refunds/SKILL.md',
    'skill://other/../refunds/SKILL.md',
    'remote://one/skill://refunds/SKILL.md',
    'remote://one/skill://refunds/references/%70olicy.md',
    'remote://one/skill://refunds/./SKILL.md',
    'skill://one/refunds/../secret',
    'skill://one/refunds/%2e%2e/secret',
    'skill://one/refunds/a%2f..%2f..%2fsecret',
    'skill://one/refunds/',
    'skill://one/refunds',
    'skill://two/refunds/SKILL.md',
    'skill://one/other/SKILL.md',
  ])('it is not read at %s', async (uri) => {
    // A template that takes every address of the scheme, as many servers have one.
    templates = [{ uriTemplate: 'skill://{+path}', name: 'all' }]
    skills['two'] = [skill('skill://x')]
    await offered()
    asked = []
    expect((await read(uri)).status).toBe(404)
    expect(asked).toEqual([])
  })

  it('and a server with very many of both costs little', async () => {
    const many = Array.from({ length: 1000 }, (_, nth) => `skill://s${nth}`)
    skills = { one: many.map((each) => skill(each)), two: many.map((each) => skill(each)) }
    const uris = many.map((each) => ({ uri: `${each}${'/a'.repeat(20)}`, name: 'x' }))
    const others = many.map((_, nth) => ({ uri: `note://${nth}`, name: 'y' }))
    resources = { one: uris, two: others }
    const offer = await offered()
    expect(offer.skills).toHaveLength(2000)
    expect(offer.resources).toHaveLength(3000)
  })

  it('which others of its server keep', async () => {
    templates = [{ uriTemplate: 'skill://{+path}', name: 'all' }]
    resources = { one: [{ uri: 'skill://one/note', name: 'note' }] }
    const { resources: listed } = await offered()
    expect(listed?.map(({ uri }) => uri)).toContain('remote://one/skill://one/note')
    await read('skill://others/SKILL.md')
    await read('remote://one/skill://one/note')
    expect(asked.slice(-2)).toEqual(['one skill://others/SKILL.md', 'one skill://one/note'])
  })

  it('is denied with its skill', async () => {
    denied = ['skill://refunds/references/policy.md']
    expect(urisIn(await offered())).toEqual([])
    expect((await read('skill://one/refunds/SKILL.md')).status).toBe(404)
  })
})
