// Completion: https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
import { describe, expect, it } from 'vitest'
import { useApplication } from './application.ts'
import { capabilitiesAt } from './checks.ts'
import { ALL, ask, MODERN } from './client.ts'

const application = useApplication()

const TRAVEL = { type: 'ref/prompt', name: 'travel' }
const CITY = { name: 'city', value: 'c' }

function complete(params: Record<string, unknown>, revision: string = MODERN) {
  return ask(application.url, 'completion/complete', params, { revision })
}

it.each(['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'])(
  '[completion.capability] is declared at %s',
  async (revision) => {
    expect(await capabilitiesAt(application.url, revision)).toMatchObject({ completions: {} })
  },
)

describe.each(ALL)('completion at %s', (revision) => {
  it('[completion.prompt-argument] offers what starts as the argument does', async () => {
    const ref = { type: 'ref/prompt', name: 'test_prompt_with_arguments' }
    const { status, result } = await complete(
      { ref, argument: { name: 'arg1', value: 'part' } },
      revision,
    )
    expect(status).toBe(200)
    expect(result['completion']).toEqual({ values: ['party'], hasMore: false })
  })

  it('[completion.template-variable] offers values for a template', async () => {
    const ref = { type: 'ref/resource', uri: 'odd://city/{city}' }
    const { result } = await complete({ ref, argument: CITY }, revision)
    expect(result['completion']).toMatchObject({ values: ['of odd://city/{city}'] })
  })

  it('[completion.at-most-100] offers 100 values of 150 and says that there are more', async () => {
    const { result } = await complete({ ref: TRAVEL, argument: CITY }, revision)
    const completion = result['completion'] as {
      values: string[]
      hasMore?: boolean
      total?: number
    }
    expect(completion.values).toEqual(Array.from({ length: 100 }, (_, index) => `city ${index}`))
    expect(completion.hasMore).toBe(true)
    expect(completion.total ?? 150).toBe(150)
  })

  it('[completion.unknown] of a prompt that is not there is -32602', async () => {
    const ref = { type: 'ref/prompt', name: 'no_such_prompt' }
    const { status, error } = await complete({ ref, argument: CITY }, revision)
    expect([status, error?.code]).toEqual([200, -32602])
  })

  it.each([
    ['no reference', { argument: CITY }],
    ['a reference of another kind', { ref: { type: 'ref/tool', name: 'repeat' }, argument: CITY }],
    ['a reference without a name', { ref: { type: 'ref/prompt' }, argument: CITY }],
    ['no argument', { ref: TRAVEL }],
    ['an argument without a name', { ref: TRAVEL, argument: { value: 'c' } }],
    ['a value that is no text', { ref: TRAVEL, argument: { name: 'city', value: 5 } }],
  ])('[completion.validated] with %s is -32602', async (_, params) => {
    const { error, messages } = await complete(params, revision)
    expect([error?.code, messages[0]?.id]).toEqual([-32602, 1])
  })
})

it.each(['2026-07-28', '2025-11-25', '2025-06-18'])(
  '[completion.context] the component knows the other arguments at %s',
  async (revision) => {
    const params = {
      ref: TRAVEL,
      argument: { name: 'country', value: '' },
      context: { arguments: { city: 'Rome' } },
    }
    const { result } = await complete(params, revision)
    expect(result['completion']).toMatchObject({ values: ['the country of Rome'] })
  },
)
