import { describe, expect, it } from 'vitest'
import { publish } from './names.ts'
import type { RemoteServer } from './servers.ts'

const server = (name: string, more: Partial<RemoteServer> = {}): RemoteServer => ({
  name,
  url: 'http://h/',
  headers: {},
  denied: [],
  prefix: '',
  timeoutMs: 1,
  ttlMs: 1,
  ...more,
})
const tools = (...names: string[]) =>
  names.map((name) => ({ name, inputSchema: { type: 'object' } }))

function published(lists: [RemoteServer, ReturnType<typeof tools> | undefined][]) {
  const all = new Map(lists)
  const { targets, problems } = publish([...all.keys()], (each) => all.get(each))
  return { targets, problems: [...problems.values()].flat() }
}

describe('names', () => {
  it('have the server’s prefix and lead to its own name', () => {
    const { targets } = published([[server('files', { prefix: 'f_' }), tools('read')]])
    expect(targets).toEqual({ f_read: { server: 'files', tool: 'read' } })
  })

  it('stay with the first server, and say whose they are for a later one', () => {
    const { targets, problems } = published([
      [server('a'), tools('echo', 'c__echo')],
      [server('b'), tools('echo')],
      [server('c'), tools('echo')],
    ])
    expect(targets).toMatchObject({ echo: { server: 'a' }, b__echo: { server: 'b' } })
    expect(Object.values(targets).filter((each) => each.server === 'c')).toEqual([])
    expect(problems).toEqual([
      'its tool "echo" is left out: the names "echo" and "c__echo" are taken',
    ])
  })

  it('of denied tools are not published, and free for other servers', () => {
    const { targets, problems } = published([
      [server('a', { denied: ['echo', 'gone'] }), tools('echo', 'say')],
      [server('b'), tools('echo')],
    ])
    expect(targets).toMatchObject({ say: { server: 'a' }, echo: { server: 'b' } })
    expect(problems).toEqual(['it has no tool "gone" that could be denied'])
  })

  it('that are empty are left out, and __proto__ is a name', () => {
    const { targets, problems } = published([
      [server('a', { prefix: 'p_' }), tools('', '__proto__')],
      [server('b'), tools('')],
    ])
    expect(Object.keys(targets)).toEqual(['p_', 'p___proto__'])
    expect(problems).toEqual(['its tool "" is left out: a name has 1 to 128 characters'])
  })

  it('that are longer than the protocol permits are left out', () => {
    const { targets, problems } = published([[server('a'), tools('x'.repeat(129), 'y')]])
    expect(Object.keys(targets)).toEqual(['y'])
    expect(problems).toEqual([
      `its tool "${'x'.repeat(64)}…" is left out: a name has 1 to 128 characters`,
    ])
  })

  // The names are those of public reports: contract/src/tool-name.test.ts.
  it('are those that all providers of models take, and lead to the server’s own', () => {
    const own = ['immich.ping', '21st_magic_component_builder', 'x'.repeat(128)]
    const a = server('a', { denied: ['immich.delete'] })
    const { targets } = published([[a, tools(...own, 'immich.delete')]])
    const [immich, magic, long] = Object.entries(targets)
    expect(immich).toEqual(['immich_ping', { server: 'a', tool: own[0] }])
    expect(magic).toEqual(['tool_21st_magic_component_builder', { server: 'a', tool: own[1] }])
    expect(long?.[0]).toMatch(/^x{55}_[0-9a-f]{8}$/)
    expect(long?.[1]).toEqual({ server: 'a', tool: own[2] })
  })

  it('stay short where a server’s name is put in front', () => {
    const name = 'x'.repeat(60)
    const { targets } = published([
      [server('a'), tools(name)],
      [server('second'), tools(name)],
    ])
    const names = Object.keys(targets)
    expect(names).toEqual([name, expect.stringMatching(/^second__x{47}_[0-9a-f]{8}$/)])
    expect(targets[names[1] ?? '']).toEqual({ server: 'second', tool: name })
  })

  it('with spaces and parentheses, as an example of the Go SDK has them, are renamed', () => {
    const { targets, problems } = published([
      [server('a', { denied: ['elicit (url)'] }), tools('elicit (form)', 'elicit (url)', 'größe')],
    ])
    expect(targets).toEqual({
      elicit__form_: { server: 'a', tool: 'elicit (form)' },
      [Object.keys(targets)[1] ?? '']: { server: 'a', tool: 'größe' },
    })
    expect(Object.keys(targets)[1]).toMatch(/^gr_e_[0-9a-f]{8}$/)
    expect(problems).toEqual([])
  })

  it('with a slash are renamed, and lead to the server’s own name', () => {
    const { targets, problems } = published([[server('a'), tools('x/y', 'x_y', 'x'.repeat(128))]])
    expect(targets).toMatchObject({ a__x_y: { tool: 'x/y' }, x_y: { tool: 'x_y' } })
    expect(Object.keys(targets)).toHaveLength(3)
    expect(problems).toEqual([])
  })

  it('that are denied are free for others of the same server, too', () => {
    const { targets } = published([[server('a', { denied: ['x_y'] }), tools('x.y', 'x_y')]])
    expect(targets).toEqual({ x_y: { server: 'a', tool: 'x.y' } })
  })

  it('of a server without a list are unknown, and its deny list is not reported', () => {
    expect(published([[server('a', { denied: ['x'] }), undefined]]).problems).toEqual([])
  })
})
