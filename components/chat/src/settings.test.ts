import { describe, expect, it } from 'vitest'
import { modelSettings, withModel } from './settings.ts'

const read = (variables: Record<string, string>) =>
  modelSettings({ get: (name) => variables[name] })

describe('the way a model is spoken to', () => {
  it.each([
    [{}, 'ollama', 'http://127.0.0.1:11434', '/api'],
    [{ llm_url: 'http://ollama.lan:80' }, 'ollama', 'http://ollama.lan', '/api'],
    [{ llm_url: 'http://gpu:11434', llm_path: '/v1' }, 'openai', 'http://gpu:11434', '/v1'],
    [{ llm_url: 'https://api.openai.com' }, 'openai', 'https://api.openai.com', '/v1'],
    [{ llm_url: 'https://api.openai.com/v1/' }, 'openai', 'https://api.openai.com', '/v1'],
    [
      { llm_url: 'https://api.groq.com', llm_path: 'openai/v1' },
      ...(['openai', 'https://api.groq.com', '/openai/v1'] as const),
    ],
    [{ llm_url: 'http://a:1/v1/chat/completions' }, ...(['openai', 'http://a:1', '/v1'] as const)],
    [{ llm_url: 'http://a:1/api/chat' }, 'ollama', 'http://a:1', '/api'],
    [{ llm_url: 'http://a:1', llm_api: 'ollama' }, 'ollama', 'http://a:1', '/api'],
    [{ llm_api: 'openai' }, 'openai', 'http://127.0.0.1:11434', '/v1'],
  ])('of %j', (variables, api, origin, path) => {
    expect(read(variables)).toMatchObject({ api, origin, path })
  })
})

describe('a variable that cannot be used is named', () => {
  it.each([
    [{ llm_url: 'gpu' }, 'llm_url'],
    [{ llm_url: 'ftp://gpu' }, 'llm_url'],
    [{ llm_url: 'https://user:secret@gpu' }, 'llm_url'],
    [{ llm_api: 'claude' }, 'llm_api'],
    [{ chat_max_steps: '0' }, 'chat_max_steps'],
    [{ chat_max_steps: 'many' }, 'chat_max_steps'],
  ])('%j', (variables, name) => {
    expect(() => read(variables as Record<string, string>)).toThrow(`"${name}"`)
    expect(() => read(variables as Record<string, string>)).not.toThrow(/secret/)
  })
})

describe('the model of one request', () => {
  const settings = read({ llm_model: 'small', llm_models: ' large, huge ,' })

  it.each([
    [undefined, 'small'],
    ['small', 'small'],
    ['huge', 'huge'],
  ])('%s is %s', (wanted, model) => {
    expect(withModel(settings, wanted)).toEqual({ ...settings, model })
  })

  it.each(['Huge', 'hug', '*', ' ', '__proto__', 'large, huge'])('%j is refused', (wanted) => {
    expect(() => withModel(settings, wanted)).toThrow('model must be one of: small, large, huge.')
  })

  it('is named once where llm_models repeats llm_model', () => {
    const repeated = read({ llm_model: 'small', llm_models: 'small, large' })
    expect(() => withModel(repeated, 'huge')).toThrow('model must be one of: small, large.')
  })

  it('is never a choice of the client unless the operator allows it', () => {
    expect(() => withModel(read({ llm_model: 'small' }), 'large')).toThrow('llm_models allows it')
    expect(withModel(read({ llm_models: '*' }), 'any').model).toBe('any')
  })
})
