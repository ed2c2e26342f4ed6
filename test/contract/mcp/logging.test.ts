// Logging: https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging
import { describe, expect, it } from 'vitest'
import { STREAMABLE } from '../../requirements/rule.ts'
import { useApplication } from './application.ts'
import { capabilitiesAt } from './checks.ts'
import { ALL, type Answer, ask, LEGACY, LOG_LEVEL_KEY, MODERN } from './client.ts'

const application = useApplication()

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

function call(name: string, meta: Record<string, unknown>, revision: string = MODERN) {
  return ask(application.url, 'tools/call', { name, arguments: {} }, { revision, meta })
}

function logsOf({ messages }: Answer): Record<string, unknown>[] {
  return messages
    .filter(({ method }) => method === 'notifications/message')
    .map(({ params }) => params ?? {})
}

it.each(ALL)('[logging.capability] is declared at %s', async (revision) => {
  expect(await capabilitiesAt(application.url, revision)).toMatchObject({ logging: {} })
})

describe('messages of a modern call', () => {
  it.each([
    ['nothing', {}],
    ['progress', { progressToken: 1 }],
  ])('[logging.only-asked] are not sent to a client that asked for %s', async (_, meta) => {
    for (const name of ['test_logging_tool', 'logs_of_every_level']) {
      const answer = await call(name, meta)
      expect(logsOf(answer)).toEqual([])
      expect(answer.result).toMatchObject({ resultType: 'complete' })
    }
  })

  it.each(LEVELS)('[logging.level] are of the level %s or above', async (level) => {
    const logs = logsOf(await call('logs_of_every_level', { [LOG_LEVEL_KEY]: level }))
    const expected = LEVELS.slice(LEVELS.indexOf(level))
    expect(logs).toEqual(expected.map((level) => ({ level, logger: 'oddities', data: { level } })))
  })

  it.each(['loud', '', 'INFO', 5])(
    '[logging.unknown-level] the level %j does not exist',
    async (level) => {
      const { status, error } = await call('test_logging_tool', { [LOG_LEVEL_KEY]: level })
      expect(status).toBe(400)
      expect(error?.code).toBe(-32602)
    },
  )
})

it.each(STREAMABLE)(
  '[logging.before-answer] messages come before the answer at %s',
  async (revision) => {
    const meta = revision === MODERN ? { [LOG_LEVEL_KEY]: 'info' } : {}
    const answer = await call('test_tool_with_logging', { ...meta, progressToken: 'p' }, revision)
    expect(logsOf(answer).map(({ data }) => data)).toEqual([
      'Tool execution started',
      'Tool processing data',
      'Tool execution completed',
    ])
    expect(answer.messages.at(-1)).toMatchObject({ id: 1, result: { content: [{ type: 'text' }] } })
  },
)

describe.each(LEGACY)('logging/setLevel at %s', (revision) => {
  it.each(LEVELS)('[logging.set-level] takes %s', async (level) => {
    const { status, result } = await ask(
      application.url,
      'logging/setLevel',
      { level },
      { revision },
    )
    expect([status, result]).toEqual([200, {}])
  })

  it.each([['loud'], [''], [5], [undefined]])(
    '[logging.unknown-level] does not take %j',
    async (level) => {
      const { error } = await ask(application.url, 'logging/setLevel', { level }, { revision })
      expect(error?.code).toBe(-32602)
    },
  )
})
