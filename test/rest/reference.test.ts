// Every example of the reference for tools, as it stands, on real components.
import { describe, expect, it } from 'vitest'
import { ask, useApplication } from './application.ts'

const application = useApplication()

const TOOL = {
  name: 'example',
  description: 'Test txt2img workflow',
  inputSchema: {
    type: 'object',
    properties: {
      positive_prompt: { type: 'string', description: 'Positive prompt' },
      negative_prompt: { type: 'string', description: 'Negative prompt', default: '' },
      seed: { type: 'integer', description: 'Seed for KSampler' },
    },
    required: ['positive_prompt'],
  },
}

const CALLS = {
  HTTP: `{
    "tool": "example",
    "params": {
      "positive_prompt": "portrait photo, cinematic lighting",
      "negative_prompt": "blurry, watermark",
      "seed": 123456
    }
  }`,
  'MCP-style': `{
    "name": "example",
    "arguments": {
      "positive_prompt": "portrait photo, cinematic lighting",
      "negative_prompt": "blurry, watermark",
      "seed": 123456
    }
  }`,
  'OpenAI-style': `{
    "type": "function",
    "function": {
      "name": "example",
      "arguments": "{\\"positive_prompt\\":\\"portrait photo, cinematic lighting\\",\\"negative_prompt\\":\\"blurry, watermark\\",\\"seed\\":123456}"
    }
  }`,
}

describe('the reference for tools', () => {
  it('GET /tools', async () => {
    const { status, headers, body } = await ask(`${application.url}/tools`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    // Beside what the reference has, the gateway says what each tool may reach.
    const plain = (body['tools'] as { _meta?: unknown }[]).map(({ _meta, ...tool }) => tool)
    expect(plain).toContainEqual(TOOL)
    for (const tool of body['tools'] as object[]) {
      expect(tool).toMatchObject({
        name: expect.any(String) as string,
        description: expect.any(String) as string,
        inputSchema: { type: 'object' },
      })
    }
  })

  it.each(Object.entries(CALLS))('POST /invoke, %s: the workflow', async (_, call) => {
    const { status, body } = await ask(`${application.url}/invoke`, call)
    expect(status).toBe(200)
    const workflow = {
      '3': { inputs: { seed: 123456 } },
      '6': { inputs: { text: 'portrait photo, cinematic lighting' } },
    }
    expect(body).toMatchObject({ workflow, structuredContent: { workflow } })
    expect(body).not.toHaveProperty('resultUrl')
  })

  it('POST /invoke: the address of the result', async () => {
    const call = { tool: 'example', params: { positive_prompt: 'portrait photo' } }
    const { body } = await ask(`${application.url}/invoke`, call)
    expect(body['resultUrl']).toBe('https://comfy.example/view?filename=a.png')
    expect(body).not.toHaveProperty('workflow')
  })

  it('validation against the inputSchema', async () => {
    const call = { tool: 'example', params: { positive_prompt: 'a', seed: 'b' } }
    const { status, body } = await ask(`${application.url}/invoke`, call)
    expect(status).toBe(400)
    expect(body['error']).toMatchObject({ code: 'invalid_arguments', field: 'params.seed' })
  })
})

describe('a call of each kind of end', () => {
  const long = `{"tool":"echo","params":{"message":"${'x'.repeat(4 * 1024 * 1024)}"}}`
  it.each([
    ['a result', { tool: 'echo', params: { message: 'hello' } }, 200, undefined],
    ['no such tool', { tool: 'nothing' }, 404, 'tool_not_found'],
    ['a name every object has', { tool: '__proto__' }, 404, 'tool_not_found'],
    ['a tool that throws', { tool: 'crashes' }, 502, 'tool_failed'],
    ['a tool that breaks its promise', { tool: 'structured_wrong' }, 502, 'tool_failed'],
    ['a tool that hangs', { tool: 'silent' }, 504, 'timeout'],
    ['half a body', '{"tool":', 400, 'invalid_json'],
    ['a body of 4 MiB', long, 413, 'body_too_large'],
  ])('%s', async (_, call, status, code) => {
    const seen = await ask(`${application.url}/invoke`, call)
    expect(seen.status).toBe(status)
    const error = seen.body['error'] as { code: string; requestId: string } | undefined
    expect(error?.code).toBe(code)
    expect(error?.requestId).toBe(error && seen.headers.get('x-request-id'))
    expect(JSON.stringify(seen.body)).not.toContain('secret')
  })

  it('another media type is 415, another method 405', async () => {
    const url = `${application.url}/invoke`
    expect((await ask(url, 'tool=echo', { 'content-type': 'text/plain' })).status).toBe(415)
    const { status, headers } = await fetch(url)
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('a page of another origin is refused', async () => {
    const headers = { origin: 'https://evil.example' }
    const { status } = await ask(`${application.url}/invoke`, { tool: 'echo' }, headers)
    expect(status).toBe(403)
  })
})

it('GET /docs is a page that lets nothing else run', async () => {
  const response = await fetch(`${application.url}/docs`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await response.text()).toMatch(/^<!doctype html>/)
})
