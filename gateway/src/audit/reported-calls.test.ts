import { describe, expect, it } from 'vitest'
import { auditLog } from '../testing/audit-log.ts'
import { auditedWorld } from '../testing/audited-world.ts'
import { call, post, several, text, tool } from '../testing/components.ts'

const { printed, entries, begun } = auditLog()

/** A gateway whose host words the lines, and what its component received. */
function reportedWorld(settings = 'audit=host') {
  const received: (string | null)[] = []
  const two = several([tool('seen', { a: {}, b: {} }), tool('odd')], (name) =>
    name === 'odd' ? new Response('broken', { status: 500 }) : text(name),
  )
  const world = auditedWorld({
    variables: { call_settings: settings },
    components: {
      two: (request) => {
        if (request.method === 'POST') received.push(request.headers.get('ftl-audit-call'))
        return two(request)
      },
    },
  })
  const send = async (sent: object) => {
    const response = await world.send(post(sent))
    await response.text()
    return response.headers.get('ftl-audit-end')
  }
  return { received, send }
}

describe('a call whose lines the host words', () => {
  it('is reported in a header of the request, and its end in one of the response', async () => {
    const { received, send } = reportedWorld()
    const end = await send(call('seen', { a: 'ü', b: 1 }))
    const [, number, about = ''] = /^(\S+) (.*)$/.exec(received[0] ?? '') ?? []
    expect(JSON.parse(about)).toMatchObject({ component: 'two', tool: 'seen', face: 'mcp' })
    expect([number, end]).toEqual(['0', '0'])
    expect(printed).toEqual([])
  })

  it.each<[string, string, object]>([
    ['whose arguments are not in order', 'audit=host', call('seen', { b: 1, a: 1 })],
    ['whose arguments are long', 'audit=host', call('seen', { a: 'x'.repeat(70_000) })],
    [
      'whose line is long',
      'audit=host',
      {
        ...call('seen', {}),
        params: {
          name: 'seen',
          arguments: {},
          _meta: {
            'io.modelcontextprotocol/clientInfo': {
              name: '\u{1f98a}'.repeat(256),
              version: '\u{1f98a}'.repeat(256),
            },
          },
        },
      },
    ],
    ['of which the log has the arguments', 'audit=host; audit_arguments=true', call('seen', {})],
    ['on a host that words nothing', 'audit=on', call('seen', {})],
  ])('is printed, not reported, %s', async (_, settings, sent) => {
    const { received, send } = reportedWorld(settings)
    expect(await send(sent)).toBeNull()
    expect(received).toEqual([null])
    expect(begun()).toHaveLength(1)
    expect(entries()).toMatchObject([{ tool: 'seen', outcome: 'ok' }])
  })

  it('prints how it ended, if not well', async () => {
    const { received, send } = reportedWorld()
    expect(await send(call('odd', {}))).toBeNull()
    expect(received[0]?.split(' ')[0]).toBe('0')
    expect(printed).toHaveLength(1)
    expect(entries()).toMatchObject([{ event: 'call', call: '0', outcome: 'failed' }])
    expect(entries()[0]).not.toHaveProperty('tool')
  })

  it('prints the lines of a call that no component got', async () => {
    const { send } = reportedWorld()
    expect(await send(call('nope', {}))).toBeNull()
    expect(entries()).toMatchObject([{ tool: 'nope', outcome: 'refused' }])
  })

  it('reports the ends of all calls of a batch', async () => {
    const { received, send } = reportedWorld()
    const calls = ['one', 'two'].map((id) => ({ ...call('seen', {}), id }))
    const end = await send(calls)
    expect(end?.split(',').sort()).toEqual(['0', '1'])
    expect(received.map((report) => report?.split(' ')[0]).sort()).toEqual(['0', '1'])
  })
})
