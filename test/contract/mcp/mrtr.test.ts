// Requests that need the client: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
import { describe, expect, it } from 'vitest'
import { useApplication } from './application.ts'
import { ALL_CAPABILITIES, type Answer, ask, textOf } from './client.ts'

const application = useApplication()

const TOOL = 'test_input_required_result_'

function call(
  name: string,
  params: Record<string, unknown> = {},
  capabilities: object = ALL_CAPABILITIES,
) {
  const { arguments: args = {}, ...rest } = params
  return ask(application.url, 'tools/call', { name, arguments: args, ...rest }, { capabilities })
}

const accepted = (content: object) => ({ action: 'accept', content })
const SAMPLED = {
  role: 'assistant',
  content: { type: 'text', text: 'Paris' },
  model: 'm',
  stopReason: 'endTurn',
}
const ROOTS = { roots: [{ uri: 'file:///home', name: 'home' }] }

function asked({ result }: Answer): Record<string, { method: string }> {
  expect(result['resultType']).toBe('input_required')
  return result['inputRequests'] as Record<string, { method: string }>
}

describe('a request that needs the client', () => {
  it.each([
    ['elicitation', 'user_name', 'elicitation/create', accepted({ name: 'Ada' }), 'Hello, Ada!'],
    ['sampling', 'capital_question', 'sampling/createMessage', SAMPLED, 'Paris'],
    ['list_roots', 'client_roots', 'roots/list', ROOTS, 'The roots are: file:///home'],
  ])(
    '[mrtr.asks] [mrtr.completes] asks by %s and is completed',
    async (tool, key, method, response, text) => {
      const name = `${TOOL}${tool}`
      expect(asked(await call(name))).toMatchObject({ [key]: { method } })
      const answer = await call(name, { inputResponses: { [key]: response } })
      expect(answer.result['resultType']).toBe('complete')
      expect(textOf(answer)).toBe(text)
    },
  )

  it('[mrtr.asks] [mrtr.completes] may be for a prompt', async () => {
    const options = { capabilities: { elicitation: {} } }
    const params = { name: `${TOOL}prompt` }
    const first = await ask(application.url, 'prompts/get', params, options)
    expect(Object.keys(asked(first))).toEqual(['user_context'])
    const inputResponses = { user_context: accepted({ context: 'a test' }) }
    const second = await ask(application.url, 'prompts/get', { ...params, inputResponses }, options)
    expect(second.result).toMatchObject({
      resultType: 'complete',
      messages: [{ role: 'user', content: { text: 'Work in this context: a test' } }],
    })
  })

  it('[mrtr.asks] [mrtr.completes] may be for a resource', async () => {
    const options = { capabilities: { elicitation: {} } }
    const params = { uri: 'odd://asks' }
    const first = await ask(application.url, 'resources/read', params, options)
    expect(Object.keys(asked(first))).toEqual(['user_name'])
    const inputResponses = { user_name: accepted({ name: 'Ada' }) }
    const second = await ask(
      application.url,
      'resources/read',
      { ...params, inputResponses },
      options,
    )
    expect(second.result).toMatchObject({
      resultType: 'complete',
      contents: [{ text: 'For Ada.' }],
    })
  })

  it('[mrtr.only-there] is no completion', async () => {
    const ref = { type: 'ref/prompt', name: 'asks_while_completing' }
    const params = { ref, argument: { name: 'anything', value: '' } }
    const { text, error, result } = await ask(application.url, 'completion/complete', params, {
      capabilities: ALL_CAPABILITIES,
    })
    expect(text).not.toContain('input_required')
    expect(error !== undefined || result['resultType'] === 'complete').toBe(true)
  })

  it('[mrtr.rounds] may take several rounds, each by itself', async () => {
    const name = `${TOOL}multi_round`
    const first = await call(name)
    expect(Object.keys(asked(first))).toEqual(['step1'])
    const second = await call(name, {
      inputResponses: { step1: accepted({ name: 'Ada' }) },
      requestState: first.result['requestState'],
    })
    expect(Object.keys(asked(second))).toEqual(['step2'])
    const third = await call(name, {
      inputResponses: { step2: accepted({ color: 'blue' }) },
      requestState: second.result['requestState'],
    })
    expect(textOf(third)).toBe('Ada likes blue.')
  })

  it('[mrtr.something-asked] may only be asked to come again', async () => {
    const first = await call('asks_to_come_again', {}, {})
    expect(first.result).toMatchObject({
      resultType: 'input_required',
      requestState: expect.any(String) as unknown,
    })
    expect(first.result).not.toHaveProperty('inputRequests')
    const { requestState } = first.result
    expect(textOf(await call('asks_to_come_again', { requestState }, {}))).toBe('came again')
  })

  it.each([
    ['nothing', 'asks_nothing'],
    ['a tool', 'asks_for_a_tool'],
  ])(
    '[mrtr.something-asked] [mrtr.kinds] is not passed on when it asks for %s',
    async (_, name) => {
      // A client cannot enable it either, by declaring something that is not a capability.
      const capabilities = { ...ALL_CAPABILITIES, 'tools/list': {} }
      for (const declared of [ALL_CAPABILITIES, capabilities]) {
        const { result, error, text } = await call(name, {}, declared)
        expect(text).not.toContain('input_required')
        expect(error !== undefined || result['isError'] === true).toBe(true)
        // The component is wrong here; the client does not lack a capability.
        expect(error?.code).not.toBe(-32021)
      }
    },
  )
})

describe('a client', () => {
  it.each([
    ['elicitation', { sampling: {}, roots: {} }, { elicitation: {} }],
    ['sampling', { elicitation: {}, roots: {} }, { sampling: {} }],
    ['list_roots', { elicitation: {}, sampling: {} }, { roots: {} }],
    ['elicitation', {}, { elicitation: {} }],
  ])(
    '[mrtr.capability] is not asked by %s when it declares %j',
    async (tool, capabilities, required) => {
      const { status, error, text } = await call(`${TOOL}${tool}`, {}, capabilities)
      expect(status).toBe(400)
      expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: required } })
      expect(text).not.toContain('inputRequests')
    },
  )

  it.each([
    [`${TOOL}elicitation`, { url: {} }],
    ['asks_by_url', {}],
    ['asks_by_url', { form: {} }],
  ])(
    '[mrtr.elicitation-mode] is not asked by %s when it can be asked by %j',
    async (name, elicitation) => {
      const { status, error } = await call(name, {}, { elicitation })
      expect([status, error?.code]).toEqual([400, -32021])
    },
  )

  it.each([
    [`${TOOL}elicitation`, 'user_name', {}],
    [`${TOOL}elicitation`, 'user_name', { form: {} }],
    ['asks_by_url', 'consent', { url: {} }],
  ])(
    '[mrtr.elicitation-mode] is asked by %s for %s when it can be asked by %j',
    async (name, key, elicitation) => {
      expect(Object.keys(asked(await call(name, {}, { elicitation })))).toEqual([key])
    },
  )

  it('[mrtr.capability] is asked only what it declared, by a tool that knows', async () => {
    const name = `${TOOL}capabilities`
    expect(Object.keys(asked(await call(name, {}, { sampling: {} })))).toEqual(['greeting'])
    expect(Object.keys(asked(await call(name, {}, { elicitation: {} })))).toEqual(['user_name'])
  })

  it('[mrtr.asks-again] that answers something else is asked again', async () => {
    const name = `${TOOL}elicitation`
    for (const inputResponses of [
      {},
      { another: accepted({ name: 'Ada' }) },
      { user_name: { action: 'decline' } },
    ]) {
      expect(Object.keys(asked(await call(name, { inputResponses })))).toEqual(['user_name'])
    }
  })

  it('[mrtr.extra-ignored] may answer more than it was asked', async () => {
    const inputResponses = { user_name: accepted({ name: 'Ada' }), unasked: SAMPLED }
    expect(textOf(await call(`${TOOL}elicitation`, { inputResponses }))).toBe('Hello, Ada!')
  })

  it.each([
    [{ inputResponses: 'Ada' }],
    [{ inputResponses: ['Ada'] }],
    [{ inputResponses: 5 }],
    [{ requestState: 5 }],
    [{ requestState: {} }],
  ])('[mrtr.malformed-answers] cannot answer with %j', async (params) => {
    const { error, messages } = await call(`${TOOL}elicitation`, params)
    expect([error?.code, messages[0]?.id]).toEqual([-32602, 1])
  })
})
