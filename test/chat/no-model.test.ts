// A chat whose model is not there, or not to be had: in words that say what to do, and without any key.
import { expect, it } from 'vitest'
import { startDemoModel } from '../../cli/src/demo-model/server.ts'
import { chat, startChat } from './application.ts'

const KEY = 'sk-test-0123456789abcdef'

it('no model listens at llm_url', async () => {
  const gone = await startDemoModel()
  await gone.close()
  const alone = await startChat({}, { llm_url: gone.url })
  try {
    const [last] = (await chat(alone, 'hello')).slice(-1)
    expect(last).toMatchObject({ type: 'error', code: 'model_unreachable' })
    expect(last?.message).toMatch(/llm_url.*--demo-model.*allowed_outbound_hosts/)
    const state = (await (await fetch(`${alone.url}/api/chat`)).json()) as object
    expect(state).toMatchObject({ configured: false })
    expect((state as { reason: string }).reason).toMatch(/^No model answers at \S+\.$/)
    expect((state as { how: string }).how).toMatch(/llm_url/)
  } finally {
    await alone.close()
  }
})

it.each([
  [
    'no key',
    { llm_api_key: '' },
    'model_unauthorized',
    /wants a key: set the variable llm_api_key/,
  ],
  [
    'a wrong key',
    { llm_api_key: 'sk-wrong-9876543210' },
    'model_unauthorized',
    /does not take the key/,
  ],
  ['a wrong model', { llm_api_key: KEY, llm_model: 'gpt-0' }, 'model_not_found', /one of: demo/],
])('%s', async (_, variables, code, words) => {
  const other = await startChat({ key: KEY }, variables)
  try {
    const [last] = (await chat(other, 'hello')).slice(-1)
    expect(last).toMatchObject({ type: 'error', code })
    expect(last?.message).toMatch(words)
    const state = await (await fetch(`${other.url}/api/chat`)).text()
    expect(JSON.parse(state)).toMatchObject({ configured: false })
    for (const text of [state, JSON.stringify(last)]) expect(text).not.toMatch(/sk-/)
  } finally {
    await other.close()
  }
})
