import { createHash } from 'node:crypto'
import { canonicalJson, type ResourceDescription, SKILL_KEY } from 'ftl-contract'
import { describe, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { as, keys } from '../testing/api-keys.ts'
import {
  type Component,
  createWorld,
  type World,
  type WorldOptions,
} from '../testing/components.ts'
import { modern } from '../testing/modern.ts'

const digest = `sha256:${'a'.repeat(64)}`

const file = (uri: string, more: object = {}) => ({ uri, digest, size: 3, ...more })

/** A skill as `createSkill` publishes it. */
function skill(
  name: string,
  paths: readonly string[] = [],
  more: object = {},
): ResourceDescription {
  const folder = `skill://${name}`
  const uri = `${folder}/SKILL.md`
  const manifest = {
    frontmatter: { name, description: `How to do ${name}`, license: 'MIT' },
    files: [uri, ...paths.map((path) => `${folder}/${path}`)].map((each) =>
      file(each, { mimeType: 'text/markdown' }),
    ),
    ...more,
  }
  return { uri, name, description: `How to do ${name}`, _meta: { [SKILL_KEY]: manifest, own: 1 } }
}

function component(...resources: ResourceDescription[]): Component {
  return (request) =>
    Response.json(new URL(request.url).pathname === '/' ? { resources } : { contents: [] })
}

interface Answer {
  result?: Record<string, unknown> & {
    skills?: { uri: string }[]
    resources?: { uri: string; name: string; mimeType?: string }[]
  }
  error?: { code: number; message: string }
}

async function ask(
  world: World,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await world.send(modern(method, params, { headers }))
  return (await response.json()) as Answer
}

function served(resources: ResourceDescription[], more: Partial<WorldOptions> = {}): World {
  return createWorld({ components: { office: component(...resources) }, ...more })
}

const urisOf = ({ result }: Answer) => result?.skills?.map(({ uri }) => uri)

describe('skills/list', () => {
  test('has the front matter and the files of each skill, and may be kept', async () => {
    const { result } = await ask(served([skill('refunds', ['forms/a.md'])]), 'skills/list')
    expect(result).toMatchObject({
      resultType: 'complete',
      skills: [
        {
          uri: 'skill://refunds/SKILL.md',
          frontmatter: { name: 'refunds', description: 'How to do refunds', license: 'MIT' },
          resources: [file('skill://refunds/SKILL.md'), file('skill://refunds/forms/a.md')],
        },
      ],
      ttlMs: 0,
      cacheScope: 'public',
    })
    expect(result).not.toHaveProperty('nextCursor')
  })

  test('says with server/discover and initialize that there are skills', async () => {
    const world = served([skill('refunds')])
    const extensions = { 'io.modelcontextprotocol/skills': { directoryRead: true } }
    const capabilities = { resources: {}, extensions }
    expect(await ask(world, 'server/discover')).toMatchObject({ result: { capabilities } })
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} }
    const hello = await world.rpc({ jsonrpc: '2.0', method: 'initialize', params, id: 1 })
    expect(hello).toMatchObject({ result: { capabilities } })
  })

  test('answers clients of older revisions too, without fields of the newest', async () => {
    const headers = { 'mcp-protocol-version': '2025-11-25' }
    const message = { jsonrpc: '2.0', method: 'skills/list', params: {}, id: 1 }
    const { result } = (await served([skill('refunds')]).rpc(message, headers)) as Answer
    expect(urisOf({ result: result ?? {} })).toEqual(['skill://refunds/SKILL.md'])
    expect(result).not.toHaveProperty('ttlMs')
  })

  test('has pages', async () => {
    const world = served([skill('one'), skill('two'), skill('three')], {
      variables: { list_settings: 'list_page_size=2' },
    })
    const first = await ask(world, 'skills/list')
    expect(urisOf(first)).toEqual(['skill://one/SKILL.md', 'skill://two/SKILL.md'])
    const cursor = first.result?.['nextCursor']
    const last = await ask(world, 'skills/list', { cursor })
    expect(urisOf(last)).toEqual(['skill://three/SKILL.md'])
    expect(last.result).not.toHaveProperty('nextCursor')
    const { error } = await ask(world, 'resources/list', { cursor })
    expect(error?.code).toBe(-32602)
  })

  test.each([
    ['frontmatter', { frontmatter: undefined }],
    ['a description', { frontmatter: { name: 'odd' } }],
    ['a short description', { frontmatter: { name: 'odd', description: 'x'.repeat(1025) } }],
    ['texts as metadata', { frontmatter: { name: 'odd', description: 'x', metadata: { a: 1 } } }],
    [
      'a text as compatibility',
      { frontmatter: { name: 'odd', description: 'x', compatibility: [] } },
    ],
    ['plain addresses', { files: [file('skill://odd/SKILL.md'), file('skill://odd/a?b')] }],
    ['addresses in it', { files: [file('skill://odd/SKILL.md'), file('skill://odd/../x')] }],
    ['its name in the address', { frontmatter: { name: 'even', description: 'x' } }],
    ['files', { files: undefined }],
    ['SKILL.md among its files', { files: [file('skill://odd/other.md')] }],
    ['digests', { files: [file('skill://odd/SKILL.md', { digest: 'sha256:A' })] }],
    ['sizes', { files: [file('skill://odd/SKILL.md', { size: -1 })] }],
    ['only files of its folder', { files: [file('skill://odd/SKILL.md'), file('skill://even/x')] }],
    ['each file once', { files: [file('skill://odd/SKILL.md'), file('skill://odd/SKILL.md')] }],
    ['at most 16 MiB', { files: [file('skill://odd/SKILL.md', { size: 16 * 1024 * 1024 + 1 })] }],
  ])('leaves out only the skill that has not %s', async (_, more) => {
    const world = served([skill('odd', [], more), skill('refunds')])
    expect(urisOf(await ask(world, 'skills/list'))).toEqual(['skill://refunds/SKILL.md'])
  })

  test('has skills whose files are made for each request', async () => {
    const { result } = await ask(served([skill('live', [], { files: 'dynamic' })]), 'skills/list')
    expect(result?.skills).toMatchObject([{ resources: 'dynamic' }])
  })
})

describe('skills/get', () => {
  test('returns the entry of the list', async () => {
    const world = served([skill('refunds', ['a.md']), skill('other')])
    const list = await ask(world, 'skills/list')
    const { result } = await ask(world, 'skills/get', { uri: 'skill://refunds/SKILL.md' })
    expect(result).toMatchObject({ ttlMs: 0, cacheScope: 'public' })
    expect(result?.['skill']).toEqual(list.result?.skills?.[0])
  })

  test.each(['skill://other/SKILL.md', 'skill://refunds', '', undefined, 1])(
    'refuses %s',
    async (uri) => {
      const { error } = await ask(served([skill('refunds')]), 'skills/get', { uri })
      expect(error).toMatchObject({ code: -32602 })
    },
  )
})

describe('resources/directory/read', () => {
  const world = () =>
    served([skill('refunds', ['a%20b.md', 'forms/de.md', 'forms/fr/x.md']), skill('other')])
  const children = async (uri: string) =>
    (await ask(world(), 'resources/directory/read', { uri })).result?.resources

  test('has files and folders directly in a folder', async () => {
    const mimeType = 'text/markdown'
    const directory = 'inode/directory'
    expect(await children('skill://refunds')).toEqual([
      { uri: 'skill://refunds/SKILL.md', name: 'SKILL.md', mimeType },
      { uri: 'skill://refunds/a%20b.md', name: 'a b.md', mimeType },
      { uri: 'skill://refunds/forms', name: 'forms', mimeType: directory },
    ])
    expect(await children('skill://refunds/forms')).toEqual([
      { uri: 'skill://refunds/forms/de.md', name: 'de.md', mimeType },
      { uri: 'skill://refunds/forms/fr', name: 'fr', mimeType: directory },
    ])
  })

  test.each(['skill://refunds/SKILL.md', 'skill://refund', 'skill://refunds/', 'constructor'])(
    'refuses %s, which is no folder',
    async (uri) => {
      const { error } = await ask(world(), 'resources/directory/read', { uri })
      expect(error).toMatchObject({ code: -32602 })
    },
  )
})

describe('what lists skills', () => {
  const METHODS = ['skills/list', 'skills/get', 'resources/directory/read']

  test.each(METHODS)('does not have %s without a skill', async (method) => {
    const world = served([{ uri: 'note://a', name: 'a' }])
    const response = await world.send(modern(method, { uri: 'note://a' }))
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: -32601 } })
  })

  test('is left out of a gateway that is built without it', async () => {
    const world = served([skill('refunds')], { app: createApp({ features: [] }) })
    expect((await world.send(modern('skills/list'))).status).toBe(404)
    const { result } = await ask(world, 'server/discover')
    expect(JSON.stringify(result)).not.toContain('/skills')
  })

  test('does not repeat the files in the list of resources', async () => {
    const { result } = await ask(served([skill('refunds', ['a.md'])]), 'resources/list')
    expect(result?.resources).toMatchObject([
      { uri: 'skill://refunds/SKILL.md', _meta: { own: 1 } },
    ])
    expect(JSON.stringify(result)).not.toContain('sha256:')
  })

  test('shows a caller the skills that the policy permits', async () => {
    const rules = [
      { effect: 'allow', principals: ['key:anna'], resources: ['skill://refunds/*'] },
      { effect: 'allow', principals: ['key:ben'], resources: ['note://*'] },
    ]
    const variables = { api_keys: keys('anna', 'ben'), policy: JSON.stringify({ rules }) }
    const world = served([skill('refunds'), skill('payroll'), { uri: 'note://a', name: 'a' }], {
      variables,
    })
    const uri = 'skill://payroll/SKILL.md'
    expect(urisOf(await ask(world, 'skills/list', {}, as('anna')))).toEqual([
      'skill://refunds/SKILL.md',
    ])
    expect(await ask(world, 'skills/get', { uri }, as('anna'))).toMatchObject({
      error: { code: -32602 },
    })
    expect(
      await ask(world, 'resources/directory/read', { uri: 'skill://payroll' }, as('anna')),
    ).toMatchObject({ error: { code: -32602 } })
    // For him there are no skills at all.
    expect(await ask(world, 'skills/list', {}, as('ben'))).toMatchObject({
      error: { code: -32601 },
    })
  })

  test('withholds a skill with one file more than was pinned', async () => {
    const pinned = [skill('refunds', ['a.md']), skill('other')]
    const pins = Object.fromEntries(
      pinned.map((entry) => [
        entry.uri,
        { digest: createHash('sha256').update(canonicalJson(entry)).digest('hex') },
      ]),
    )
    const tool_pins = JSON.stringify({ version: 1, components: { office: { resources: pins } } })
    const list = async (first: ResourceDescription) =>
      urisOf(
        await ask(served([first, skill('other')], { variables: { tool_pins } }), 'skills/list'),
      )
    expect(await list(skill('refunds', ['a.md']))).toHaveLength(2)
    expect(await list(skill('refunds', ['a.md', 'b.md']))).toEqual(['skill://other/SKILL.md'])
  })
})
