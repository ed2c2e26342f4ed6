import { expect, it } from 'vitest'
import { modelSettings } from '../settings.ts'
import { refusedBy, unreachable } from './refused.ts'

const refusal = async (variables: Record<string, string>) => {
  const settings = modelSettings({ get: (name) => variables[name] })
  const response = new Response('{"error":"not there"}', { status: 404 })
  return (await refusedBy(response, settings, 'large', async () => ['a', 'b'])).message
}

it('a model that the server does not have is reported with those it has and where to set one', async () => {
  expect(await refusal({ llm_model: 'large' })).toContain('Set llm_model to one of: a, b.')
  // The model may come from the request, whose sender cannot change variables.
  const chosen = await refusal({ llm_models: '*' })
  expect(chosen).toContain('has no model "large". Set model, or llm_model, to one of: a, b.')
})

it.each(['sk-…', 'sk-1\nsk-2'])('the key %j is named as what cannot be sent', (key) => {
  const settings = modelSettings({ get: (name) => ({ llm_api_key: key })[name] })
  expect(unreachable(settings).message).toMatch(/^The variable llm_api_key has a character/)
})

it('without such a key, the server is named', () => {
  expect(unreachable(modelSettings({ get: () => undefined })).message).toContain('No model answers')
})
