// Tool lists of servers that are huge, endless or malformed: the rest of the catalog stays available.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CANNOT_RUN, type RemoteApplication, startRemote } from './application.ts'
import { startFaulty } from './faulty-server.ts'
import type { WebServer } from './servers.ts'

describe.skipIf(CANNOT_RUN)('a list', () => {
  const tool = (name: string, more: object = {}) => ({
    name,
    inputSchema: { type: 'object' },
    ...more,
  })
  let servers: WebServer[]
  let application: RemoteApplication

  beforeAll(async () => {
    const lists: Record<string, (cursor?: string) => object> = {
      huge: (cursor = '0') => ({
        tools: Array.from({ length: 1_100 }, (_, at) =>
          tool(`big${at + Number(cursor)}`, { description: 'd'.repeat(4096) }),
        ),
        ...(cursor === '0' && { nextCursor: '1100' }),
      }),
      circle: (cursor = '0') => ({
        tools: [tool(`page${cursor}`)],
        nextCursor: cursor === '3' ? '1' : String(Number(cursor) + 1),
      }),
      odd: () => ({
        tools: [
          null,
          { name: 'no_schema' },
          tool('with space'),
          tool('long'.repeat(40)),
          tool('twice'),
          tool('twice'),
          tool('task', { execution: { taskSupport: 'required' } }),
          tool('sound'),
        ],
      }),
      small: () => ({ tools: [tool('small')] }),
    }
    servers = await Promise.all(
      Object.values(lists).map((list) =>
        startFaulty(
          'call',
          () => {},
          ({ cursor }) => list(cursor as string | undefined),
        ),
      ),
    )
    const configured = Object.fromEntries(
      Object.keys(lists).map((name, at) => [name, { url: servers[at]?.url, denied: ['absent'] }]),
    )
    application = await startRemote(
      { mcpServers: { ...configured, wrong: { urll: 'x' } } },
      // Reading 9 MB takes a busy machine some time.
      { list_page_size: '5000', discovery_timeout_ms: '20000' },
    )
  })
  afterAll(async () => {
    await application?.close()
    for (const server of servers) await server.close()
  })

  it('that is huge, endless or odd keeps what fits and costs the others nothing', async () => {
    const names = await application.names()
    expect(names).toEqual(
      expect.arrayContaining([
        ...['big0', 'page0', 'page3', 'sound', 'twice', 'small', 'with_space', 'task'],
      ]),
    )
    for (const left of ['big2199', 'no_schema', 'with space']) {
      expect(names).not.toContain(left)
    }
    expect(new Set(names).size).toBe(names.length)
  })

  it('tells the operator what is left out', async () => {
    const problems = (await application.problems()).join('\n')
    for (const said of [
      /server "huge": \d+ of its tools are left out: its list has more than \d+ bytes/,
      /server "circle": its list has more than \d+ tools or \d+ bytes, or goes in circles/,
      /server "odd": entry 1 of its list is not a tool/,
      /server "odd": entry 2 of its list is not a tool/,
      /server "odd": its tool "(long)+…" is left out: a name has 1 to 128 characters/,
      /server "odd": 1 of its tools have the name of another one of it/,
      /server "small": it has no tool "absent" that could be denied/,
      /remote_servers, "wrong": it has a field that is not one of name, url/,
    ]) {
      expect(problems).toMatch(said)
    }
  })
})
