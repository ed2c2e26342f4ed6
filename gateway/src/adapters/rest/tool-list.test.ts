import { functionName } from 'ftl-contract'
import { describe, expect, it } from 'vitest'
import { type Component, createWorld, several, text, tool } from '../../testing/components.ts'
import { jobComponent } from '../../testing/job-component.ts'
import { send } from '../../testing/rest.ts'

// The example of the reference for tools, word for word.
const EXAMPLE = {
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

const world = (...components: Component[]) =>
  createWorld({
    components: Object.fromEntries(components.map((component, n) => [`part-${n}`, component])),
  })

describe('GET /tools', () => {
  it('answers as the reference shows', async () => {
    const { status, body } = await send(world(several([EXAMPLE])), '/tools')
    expect(status).toBe(200)
    expect(body).toEqual({ tools: [EXAMPLE] })
  })

  it.each(['', '?format=openai', '?format=mcp'])(
    '%s names a component whose tools are missing',
    async (query) => {
      const components = { here: several([EXAMPLE]), away: undefined }
      const { body } = await send(createWorld({ components }), `/tools${query}`)
      expect(body).toMatchObject({
        tools: [{}],
        _meta: {
          'ftl/components': [
            { component: 'away', status: 'unavailable', reason: 'it cannot be reached' },
          ],
        },
      })
    },
  )

  it('has a description for every tool', async () => {
    const bare = { name: 'bare', inputSchema: { type: 'object' } }
    const titled = { ...bare, name: 'titled', title: 'With a title' }
    const { body } = await send(world(several([bare, titled])), '/tools')
    expect(body.tools).toMatchObject([{ description: 'bare' }, { description: 'With a title' }])
  })

  it('?format=openai gives what chat completions take as tools', async () => {
    const { body } = await send(world(several([EXAMPLE])), '/tools?format=openai')
    const { name, description, inputSchema: parameters } = EXAMPLE
    expect(body).toEqual({
      tools: [{ type: 'function', function: { name, description, parameters } }],
    })
  })

  it('?format=chat also says whose each is, and leaves out what is for jobs', async () => {
    const dotted = { ...EXAMPLE, name: 'files.read' }
    const { body } = await send(world(several([EXAMPLE]), several([dotted])), '/tools?format=chat')
    expect(body).toMatchObject({
      tools: [
        { function: { name: 'example' } },
        { function: { name: functionName('files.read') } },
      ],
      owners: {
        example: { name: 'example', component: 'part-0' },
        [functionName('files.read')]: { name: 'files.read', component: 'part-1' },
      },
    })
  })

  it('?format=mcp gives the result of tools/list', async () => {
    const components = world(several([EXAMPLE]), () => new Response(null, { status: 500 }))
    const { body } = await send(components, '/tools?format=mcp')
    const answer = (await components.rpc({ jsonrpc: '2.0', method: 'tools/list', id: 1 })) as {
      result: unknown
    }
    expect(body).toEqual(answer.result)
    expect(body).toHaveProperty('_meta')
  })

  it.each(['xml', '', '__proto__', 'constructor', 'toString', 'OpenAI'])(
    'refuses the format "%s"',
    async (format) => {
      const { status, body } = await send(world(), `/tools?format=${format}`)
      expect(status).toBe(400)
      expect(body.error).toMatchObject({ code: 'invalid_request', field: 'format' })
    },
  )

  it('lists the tools for jobs where some component starts any', async () => {
    const jobs: Component = (request) =>
      new URL(request.url).pathname === '/'
        ? Response.json({ tools: [EXAMPLE], jobs: true })
        : new Response(null, { status: 404 })
    const { body } = await send(world(jobs), '/tools')
    const names = (body.tools as { name: string }[]).map(({ name }) => name)
    expect(names).toEqual(['example', 'get_job', 'cancel_job'])
  })
})

describe('GET /tools/{name}', () => {
  it('describes one', async () => {
    const { body } = await send(world(several([tool('other'), EXAMPLE])), '/tools/example')
    expect(body).toEqual(EXAMPLE)
  })

  it.each(['nothing', '__proto__', 'constructor', 'a%20b'])('is 404 for %s', async (name) => {
    const { status, body } = await send(world(several([EXAMPLE])), `/tools/${name}`)
    expect(status).toBe(404)
    expect(body.error).toMatchObject({ code: 'tool_not_found' })
  })
})

describe('names for OpenAI', () => {
  const LONG = 'x'.repeat(65)
  // With the letter or "_" first that Gemini wants.
  const FITS = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/

  it.each(['echo', 'a-b_c', 'x'.repeat(64)])('keeps %s', (name) => {
    expect(functionName(name)).toBe(name)
  })

  it.each(['files.read', '3d_model', '-x', LONG, `${LONG}.y`, 'x'.repeat(128), '...'])(
    'makes one of %s',
    (name) => {
      expect(functionName(name)).toMatch(FITS)
      expect(functionName(name)).not.toBe(name)
    },
  )

  it('makes different names of different ones', () => {
    const names = ['a.b', 'a_b', 'a..b', 'a.b.', `${LONG}1`, `${LONG}2`]
    expect(new Set(names.map(functionName)).size).toBe(names.length)
  })

  it('ends with FNV-1a of the name', () => {
    // The published test vector for "a" is e40c292c; a dot has to be there for a name to be made.
    // FNV-1a of "." by hand: (0x811c9dc5 ^ 0x2e) * 0x01000193 mod 2^32.
    const expected = Number(((BigInt(0x811c9dc5 ^ 0x2e) & 0xffffffffn) * 0x01000193n) % 2n ** 32n)
    expect(functionName('.')).toBe(`__${expected.toString(16).padStart(8, '0')}`)
  })

  it('are taken back by /invoke', async () => {
    const components = world(
      several([tool('files.read'), tool('3d_model'), tool(LONG)], (name) => text(name)),
    )
    const { body } = await send(components, '/tools?format=openai')
    const names = (body.tools as { function: { name: string } }[]).map((one) => one.function.name)
    expect(names.every((name) => FITS.test(name))).toBe(true)
    const calls = names.map((name, n) => ({
      id: `call_${n}`,
      type: 'function',
      function: { name, arguments: '{}' },
    }))
    const answers = await send(components, '/invoke', { body: calls })
    expect(answers.body).toMatchObject([
      { content: 'files.read' },
      { content: '3d_model' },
      { content: LONG },
    ])
  })

  it('are known to no other form', async () => {
    const components = world(several([tool('files.read')]))
    const { status } = await send(components, '/invoke', {
      body: { tool: functionName('files.read') },
    })
    expect(status).toBe(404)
  })
})

it('jobs started by a component without that flag add no tools', async () => {
  const { body } = await send(world(jobComponent().component), '/tools')
  expect(body.tools).toHaveLength(1)
})
