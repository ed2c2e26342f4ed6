// One component must not take, change or hide the skills of another, whatever it publishes.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import fc from 'fast-check'
import { SKILL_KEY } from 'ftl-contract'
import { describe, expect, test } from 'vitest'
import { type Component, createWorld } from '../testing/components.ts'
import { apart } from './apart.ts'

const digest = `sha256:${'a'.repeat(64)}`

interface Odd {
  uri?: string
  name?: string
  files?: unknown
  frontmatter?: object
}

const folderOf = (uri: string) => uri.slice(0, -'/SKILL.md'.length)

function skill({ uri = 'skill://odd/SKILL.md', name = 'odd', files, frontmatter }: Odd) {
  const manifest = {
    frontmatter: { name, description: 'x', ...frontmatter },
    files: files ?? [{ uri, digest, size: 1 }],
  }
  return { uri, name, _meta: { [SKILL_KEY]: manifest } }
}

const good = skill({ uri: 'skill://refunds/SKILL.md', name: 'refunds' })

/** @param offers texts of JSON, because an object of this program has no field `__proto__` of its own. */
function component(...resources: object[]): Component {
  return answering(JSON.stringify({ resources }))
}

function answering(offer: string, more: object = {}): Component {
  return (request) =>
    new URL(request.url).pathname === '/'
      ? new Response(offer.replace('"__own_proto__"', '"__proto__"'))
      : Response.json({ contents: [], ...more })
}

/** What the official client makes of it. It refuses a list with one entry that it does not take. */
async function listed(components: Record<string, Component>): Promise<string[]> {
  const world = createWorld({ components })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://127.0.0.1:3000/mcp'), {
      fetch: (url, init) => world.send(new Request(url, init)),
    }),
  )
  try {
    const { skills } = await new SkillsClient(client).list()
    return skills.map(({ uri }) => uri)
  } finally {
    await client.close()
  }
}

const beside = (...odd: Odd[]) =>
  listed({ office: component(good), odd: component(...odd.map((each) => skill(each))) })

const file = (uri: string) => ({ uri, digest, size: 1 })
const own = 'skill://odd/SKILL.md'
const withFiles = (...uris: string[]): Odd => ({ files: [file(own), ...uris.map(file)] })

describe('the official client lists the skills of others beside', () => {
  test.each<[string, Odd]>([
    ['the same address in capitals', { uri: 'SKILL://refunds/SKILL.md', name: 'refunds' }],
    ['a parent folder', { uri: 'skill://refunds/../odd/SKILL.md' }],
    ['an encoded parent folder', { uri: 'skill://odd/%2E%2e/odd/SKILL.md' }],
    ['letters that look like others', { uri: 'skill://оdd/odd/SKILL.md' }],
    ['a query', { uri: 'skill://odd/?/odd/SKILL.md' }],
    ['a fragment', { uri: 'skill://odd/#/odd/SKILL.md' }],
    ['no folder', { uri: 'note:?/odd/SKILL.md' }],
    ['a path that nothing can be added to', { uri: 'note:odd/odd/SKILL.md' }],
    ['a backslash', { uri: 'https://odd\\odd/odd/SKILL.md' }],
    ['a standard port', { uri: 'https://odd:443/odd/SKILL.md' }],
    ['a port that is none', { uri: 'skill://odd:99999/odd/SKILL.md' }],
    ['a file twice, once with escapes', withFiles('skill://odd/a', 'skill://odd/%61')],
    ['a file with an encoded slash', withFiles('skill://odd/a%2Fb')],
    ['a file with an encoded NUL', withFiles('skill://odd/a%00')],
    ['a file that is a folder', withFiles('skill://odd/a/')],
    ['a file with white space', withFiles('skill://odd/a', 'skill://odd/a ')],
    ['a file with a line end', withFiles('skill://odd/a', 'skill://odd/a\n')],
    ['a file with half a character', withFiles('skill://odd/\ud800', 'skill://odd/\udbff')],
    ['its main file with escapes', { files: [file('skill://odd/SKIL%4c.md')] }],
    ['files of another skill', withFiles('skill://refunds/a.md')],
    ['a field __proto__', { frontmatter: { __own_proto__: { name: 'odd' } } }],
  ])('%s', async (_, odd) => {
    expect(await beside(odd)).toEqual(['skill://refunds/SKILL.md'])
  })

  test('any addresses', { timeout: 60_000 }, async () => {
    const part = fc.oneof(
      fc.constantFrom(
        'odd',
        'a',
        'A',
        '.',
        '..',
        '%2e',
        '%61',
        '%2f',
        '%',
        '',
        ' ',
        '?',
        '#',
        'é',
        ':1',
        '\\',
        '@',
      ),
      fc.string({ maxLength: 3, unit: 'binary' }),
    )
    const path = fc.array(part, { maxLength: 3 }).map((parts) => parts.join('/'))
    const scheme = fc.constantFrom('skill://', 'SKILL://', 'https://', 'note:', 'file:///')
    const uri = fc.tuple(scheme, path).map(([start, middle]) => `${start}${middle}/odd/SKILL.md`)
    const odd = fc.tuple(uri, fc.array(path, { maxLength: 3 })).map(([address, paths]): Odd => ({
      uri: address,
      files: [file(address), ...paths.map((each) => file(`${folderOf(address)}/${each}`))],
    }))
    let taken = 0
    await fc.assert(
      fc.asyncProperty(fc.array(odd, { minLength: 1, maxLength: 6 }), async (all) => {
        const uris = await beside(...all)
        expect(uris).toContain('skill://refunds/SKILL.md')
        taken += uris.length - 1
      }),
      { numRuns: 60 },
    )
    expect(taken).toBeGreaterThan(0)
  })
})

describe('skills in the folder of another', () => {
  const inner = skill({ uri: 'skill://refunds/extra/SKILL.md', name: 'extra' })
  const around = skill({ uri: 'skill://acme/SKILL.md', name: 'acme' })
  const low = skill({ uri: 'skill://acme/low/SKILL.md', name: 'low' })
  const high = skill({ uri: 'skill://acme/high/SKILL.md', name: 'high' })

  test('are listed if they are of the same component', async () => {
    expect(await listed({ office: component(good, inner) })).toHaveLength(2)
  })

  test('are left out if an earlier component has that one, and so is a skill around its skills', async () => {
    expect(await listed({ office: component(good), odd: component(inner) })).toEqual([good.uri])
    expect(await listed({ office: component(low), odd: component(around) })).toEqual([low.uri])
    expect(await listed({ first: component(around), office: component(low) })).toEqual([around.uri])
  })

  test('do not hide a third skill', async () => {
    const components = { one: component(high), two: component(low), odd: component(around) }
    expect(await listed(components)).toEqual([high.uri, low.uri])
  })

  test('are found as by comparing each with each', () => {
    const folder = fc.array(fc.constantFrom('a', 'b', 'a-b', 'a!'), { minLength: 1, maxLength: 4 })
    const entry = fc.tuple(folder, fc.constantFrom('x', 'y', 'z'))
    fc.assert(
      fc.property(fc.uniqueArray(entry, { selector: ([parts]) => parts.join('/') }), (all) => {
        const skills = ['x', 'y', 'z'].flatMap((name) =>
          all
            .filter(([, each]) => each === name)
            .map(([parts]) => ({
              entry: {
                name: parts.join('/'),
                component: name,
                description: { uri: '', name: '' },
                callAt: [],
                logging: false,
              },
              skill: {
                uri: '',
                folder: parts.join('/'),
                frontmatter: { name: '', description: '' },
                files: [],
              },
            })),
        )
        const isBelow = (one: string, other: string) => one.startsWith(`${other}/`)
        const expected = skills.filter(
          ({ entry: { component: own }, skill: { folder: at } }, index) =>
            skills
              .slice(0, index)
              .every(
                ({ entry: { component: earlier }, skill: { folder: other } }) =>
                  earlier === own || (!isBelow(at, other) && !isBelow(other, at)),
              ),
        )
        expect([...apart(skills).keys()]).toEqual(expected.map(({ entry: each }) => each))
      }),
      { numRuns: 1000 },
    )
  })
})

test('what a server behind a relay says makes no skill', async () => {
  const relay = answering(JSON.stringify({ resources: [skill({})], relays: true }))
  expect(await listed({ office: component(good), relay })).toEqual([good.uri])
  const alone = createWorld({ components: { relay } })
  const method = 'server/discover'
  expect(
    JSON.stringify(await alone.rpc({ jsonrpc: '2.0', id: 1, method, params: {} })),
  ).not.toContain('/skills')
})

describe('skills of servers behind a relay', () => {
  const relayed = (uri: string, more: object = {}) => {
    const name = uri.split('/').at(-2) ?? ''
    return { uri, frontmatter: { name, description: 'x' }, files: [file(uri)], ...more }
  }
  const relay = (skills: unknown, resources: object[], more: object = {}) =>
    answering(JSON.stringify({ resources, skills, relays: true, ...more }))
  const uri = 'skill://shop/refunds/SKILL.md'
  const resource = (address: string) => ({ uri: address, name: 'x' })

  test('are those that the relay names, beside the skills of components', async () => {
    const shop = relay([relayed(uri)], [resource(uri)])
    expect(await listed({ office: component(good), shop })).toEqual([good.uri, uri])
  })

  test('cost no other skill when they are odd', async () => {
    const odd: unknown[] = [null, 5, {}, { uri: 5 }, relayed('skill://shop/../odd/SKILL.md')]
    const skills = [...odd, relayed('skill://shop/a/SKILL.md', { files: 5 }), relayed(uri)]
    const resources = [
      ...['skill://shop/../odd/SKILL.md', 'skill://shop/a/SKILL.md', uri].map(resource),
    ]
    expect(await listed({ shop: relay(skills, resources) })).toEqual([uri])
    for (const wrong of [5, {}, 'x', null]) {
      expect(
        await listed({ office: component(good), shop: relay(wrong, [resource(uri)]) }),
      ).toEqual([good.uri])
    }
  })

  test('are not what a server writes into the _meta of a resource', async () => {
    const written = [{ ...skill({}), uri }, skill({ uri: 'skill://shop/b/SKILL.md', name: 'b' })]
    const files = [file(uri), file('skill://shop/refunds/a')]
    const shop = relay([relayed(uri, { files })], written)
    const world = createWorld({ components: { shop } })
    const answer = await world.rpc(
      { jsonrpc: '2.0', id: 1, method: 'skills/list', params: {} },
      { 'mcp-protocol-version': '2025-11-25' },
    )
    expect(answer).toMatchObject({ result: { skills: [{ uri, resources: files }] } })
    expect(await listed({ shop })).toEqual([uri])
  })

  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])
  test.each<object>([
    { license: 5 },
    { license: null },
    { compatibility: null },
    { metadata: null },
    { metadata: [] },
    { metadata: { __own_proto__: 'x' } },
    { other: { __own_proto__: { a: 1 } } },
    { constructor: 1, toString: 'x', hasOwnProperty: null },
    { 'allowed-tools': 5 },
    { 'allowed-tools': ['Bash'] },
    { other: deep(60) },
    { other: 'x'.repeat(500_000) },
    { description: 'y'.repeat(1024) },
    { description: '\u{1F600}'.repeat(1024) },
    { description: '\ud800' },
    { description: '\u{E0041}' },
    { name: 'refunds', description: ['x'] },
  ])('with odd front matter cost no other skill: %o', async (frontmatter) => {
    const odd = relayed(uri, { frontmatter: { name: 'refunds', description: 'x', ...frontmatter } })
    const shop = relay([odd], [resource(uri)])
    expect(await listed({ office: component(good), shop })).toContain(good.uri)
  })

  test('need a relay, and a resource', async () => {
    const own = answering(JSON.stringify({ resources: [resource(uri)], skills: [relayed(uri)] }))
    expect(await listed({ office: component(good), own })).toEqual([good.uri])
    expect(
      await listed({ office: component(good), shop: relay([relayed(uri)], [resource('a:b')]) }),
    ).toEqual([good.uri])
  })
})

test('a file has no fields that only the gateway writes', async () => {
  const files = [{ ...file(own), _meta: { 'ftl/approval': true }, mimeType: 5 }]
  const world = createWorld({ components: { odd: component(skill({ files })) } })
  const ask = (method: string, params: object) =>
    world.rpc({ jsonrpc: '2.0', id: 1, method, params }, { 'mcp-protocol-version': '2025-11-25' })
  expect(await ask('skills/list', {})).toMatchObject({
    result: { skills: [{ resources: [{ uri: own, digest, size: 1 }] }] },
  })
  const answers = [
    await ask('skills/list', {}),
    await ask('skills/get', { uri: own }),
    await ask('resources/directory/read', { uri: 'skill://odd' }),
  ]
  expect(JSON.stringify(answers)).not.toMatch(/approval|:5/)
})
