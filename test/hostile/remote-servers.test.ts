// MCP servers behind `remote` that answer so that reading, counting or replying takes the service from the others.
import { describe, expect } from 'vitest'
import { CANNOT_RUN } from '../remote/application.ts'
import { json, startFaulty } from '../remote/faulty-server.ts'
import { serve, type WebServer } from '../remote/servers.ts'
import { attack } from './support/attack.ts'
import { besideHostile, GOOD } from './support/beside-hostile.ts'

const startBeside = besideHostile()

/** A server of 2025-06-18 whose lists are exactly this text. */
function listing(page: (cursor: string) => string): Promise<WebServer> {
  return serve((_, response, body) => {
    const { id, method, params } = JSON.parse(body || '{}') as {
      id?: unknown
      method?: string
      params?: { cursor?: string }
    }
    if (id === undefined) return void response.writeHead(202).end()
    const message = (text: string) =>
      json(response, `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${text}}`)
    if (method === 'tools/list') return message(`"result":${page(params?.cursor ?? '')}`)
    if (method !== 'initialize') return message('"error":{"code":-32601,"message":"unknown"}')
    const about = '"capabilities":{"tools":{}},"serverInfo":{"name":"hostile","version":"1"}'
    return message(`"result":{"protocolVersion":"2025-06-18",${about}}`)
  })
}

const MEGABYTES = 4_000_000
const LISTS: [string, (cursor: string) => string, RegExp, rest?: string[]][] = [
  [
    'a million empty lists',
    () => `{"tools":[${'[],'.repeat(1_300_000)}[]]}`,
    /JSON that has more than \d+ arrays and objects/,
  ],
  [
    'lists in lists',
    () => `{"tools":[${'['.repeat(5000)}${']'.repeat(5000)}]}`,
    /JSON that nests deeper than \d+ levels/,
  ],
  [
    'pages without end, each with one huge tool',
    (cursor) =>
      `{"tools":[{"name":"n${cursor}","inputSchema":{},"description":"${'x'.repeat(MEGABYTES)}"}],` +
      `"nextCursor":"${Number(cursor) + 1}"}`,
    /its list has more than \d+ tools or \d+ bytes/,
    // Two of 4 MB fit into the 8 MiB of a server.
    ['h_n', 'h_n1'],
  ],
  [
    'cursors of megabytes',
    (cursor) => `{"tools":[],"nextCursor":"${cursor.slice(0, 9)}${'x'.repeat(MEGABYTES)}"}`,
    /a cursor of more than \d+ characters/,
  ],
  [
    'names that fill the description of all servers with problems',
    () => `{"tools":[{"name":"${' '.repeat(440_000)}","inputSchema":{}}]}`,
    /its tool " {64}…" is left out: a name has 1 to 128 characters/,
  ],
]
describe.skipIf(CANNOT_RUN)('a server behind remote', () => {
  for (const [what, page, says, rest = []] of LISTS) {
    attack(
      `a remote server lists ${what}`,
      async () => {
        const running = await startBeside(await listing(page))
        expect(await running.names()).toEqual([...GOOD.map(({ name }) => name), ...rest])
        expect((await running.problems()).join('\n')).toMatch(says)
        return 'only its own list is refused, with the reason'
      },
      60_000,
    )
  }

  const LINES = /answered more than \d+ lines of events/
  const ANSWERS: [string, string, RegExp][] = [
    ['8,000,000 empty lines', '\n'.repeat(8_000_000), LINES],
    ['1,600,000 lines of one event', 'data\n'.repeat(1_600_000), LINES],
    [
      '150,000 requests for a ping',
      'data:{"jsonrpc":"2.0","id":1,"method":"ping"}\n\n'.repeat(150_000),
      LINES,
    ],
    [
      'events of a million empty lists',
      `data:{"jsonrpc":"2.0","method":"x","params":{"a":[${'[],'.repeat(2_500_000)}[]]}}\n\n`,
      /JSON that has more than \d+ arrays and objects/,
    ],
  ]
  for (const [what, body, says] of ANSWERS) {
    attack(
      `a remote server answers a call with ${what}`,
      async () => {
        let replies = 0
        const hostile = await startFaulty('call', (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body)
        })
        const counted = await counting(hostile, () => replies++)
        const running = await startBeside(counted, hostile)
        const answer = JSON.stringify(await running.call('h_say'))
        expect(answer).toMatch(says)
        // The answers to its pings; one call must not become thousands of requests.
        expect(replies).toBeLessThanOrEqual(16)
        expect(JSON.stringify(await running.call('good0'))).toContain('good')
        return `the call fails; ${replies} requests of it are answered`
      },
      60_000,
    )
  }
})

/** The server behind another one, which counts what is sent to it and is no request. */
async function counting(server: WebServer, onReply: () => void): Promise<WebServer> {
  const front = await serve((_, response, body) => {
    const { method } = JSON.parse(body || '{}') as { method?: string }
    if (method === undefined) onReply()
    const headers = { 'content-type': 'application/json' }
    void fetch(server.url, { method: 'POST', body, headers }).then(
      async (answer) => {
        const type = answer.headers.get('content-type') ?? ''
        response.writeHead(answer.status, { 'content-type': type })
        response.end(Buffer.from(await answer.arrayBuffer()))
      },
      () => response.destroy(),
    )
  })
  return front
}
