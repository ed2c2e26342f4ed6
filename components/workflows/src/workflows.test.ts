import { describe, expect, it, vi } from 'vitest'
import { EXAMPLE, machine } from './testing/machine.ts'

const prompt = { positive_prompt: 'a fox' }

/** `count` copies of the example, each a tool. */
function many(count: number): Record<string, string> {
  const names = Array.from({ length: count }, (_, index) => `tool-${index}`)
  return Object.fromEntries(
    names.flatMap((name) => [
      [`/config/${name}.json`, EXAMPLE['/config/example.json'].replace('"example"', `"${name}"`)],
      [`/workflows/${name}.json`, EXAMPLE['/workflows/example.json']],
    ]),
  )
}

function nodesOf(result: { structuredContent?: unknown }) {
  const { workflow } = result.structuredContent as {
    workflow: Record<string, { inputs: Record<string, unknown> }>
  }
  return workflow
}

describe('without ComfyUI', () => {
  it('answers with the workflow, updated and ready to run', async () => {
    const on = machine({ files: EXAMPLE })
    const args = { ...prompt, negative_prompt: 'blurry', seed: 123456 }
    const { status, result } = await on.call('example', args)
    expect(status).toBe(200)
    const wanted = EXAMPLE['/workflows/example.json']
      .trim()
      .replace('"seed": 0', '"seed": 123456')
      .replace('"text": ""', '"text": "a fox"')
      .replace('"text": ""', '"text": "blurry"')
    expect(result.content).toEqual([{ type: 'text', text: wanted }])
    expect(result.structuredContent).toEqual({
      status: 'ok',
      tool: 'example',
      params: args,
      seed: 123456,
      workflow: JSON.parse(wanted) as unknown,
    })
  })

  it('generates what is missing, another one each time, and says so', async () => {
    const on = machine({ files: EXAMPLE })
    const seeds = new Set<unknown>()
    for (let call = 0; call < 5; call++) {
      const { result } = await on.call('example', prompt)
      const { seed, params } = result.structuredContent as { seed: number; params: object }
      expect(params).toEqual({ ...prompt, negative_prompt: '', seed })
      expect(nodesOf(result)['3']?.inputs.seed).toBe(seed)
      seeds.add(seed)
    }
    expect(seeds.size).toBe(5)
  })

  it('refuses arguments that do not fit, and names all of them', async () => {
    const { status, result } = await machine({ files: EXAMPLE }).call('example', { seed: 'x' })
    expect(status).toBe(400)
    expect(result.content).toEqual([
      {
        type: 'text',
        text: 'Invalid arguments:\npositive_prompt: is missing\nseed: must be an integer',
      },
    ])
  })

  it('reports arguments that are not parameters', async () => {
    const { result } = await machine({ files: EXAMPLE }).call('example', { ...prompt, sed: 1 })
    expect(result.structuredContent).toMatchObject({
      warnings: ['"sed" is not a parameter of this tool and was left out.'],
    })
  })

  it('keeps numbers beyond 2^53 in the text, and says that only the text has them', async () => {
    const text = '{"1":{"class_type":"SaveImage","inputs":{"seed":18446744073709551615}}}'
    const on = machine({ files: { '/workflows/big.json': text } })
    const { result } = await on.call('big')
    expect(result.content).toEqual([{ type: 'text', text }])
    const { warnings } = result.structuredContent as { warnings: string[] }
    expect(warnings).toEqual([expect.stringMatching(/beyond 2\^53: take it from the text/)])
  })

  it.each(['../example', 'example/..', '__proto__', 'constructor', 'nope', 'a b', 'x'.repeat(65)])(
    'has no tool %j',
    async (name) => {
      expect((await machine({ files: EXAMPLE }).call(name)).status).toBe(404)
    },
  )
})

describe('files', () => {
  it('are tools as soon as they are there, other tools when they change, and none when they go', async () => {
    const on = machine({ files: EXAMPLE })
    const names = async () => (await on.list()).tools?.map(({ name }) => name)
    expect(await names()).toEqual(['example'])
    on.put('/workflows/new.json', EXAMPLE['/workflows/example.json'])
    expect(await names()).toEqual(['example', 'new'])
    on.put('/config/new.json', '[{"name":"better","workflow":"new.json"}]')
    expect(await names()).toEqual(['example', 'better'])
    on.put('/config/new.json', undefined)
    on.put('/workflows/new.json', undefined)
    expect(await names()).toEqual(['example'])
    expect((await on.call('better')).status).toBe(404)
  })

  it('are seen by a call without a list before it', async () => {
    const on = machine({ files: EXAMPLE })
    await on.call('example', prompt)
    const edited = EXAMPLE['/workflows/example.json'].replace('"steps": 25', '"steps": 5')
    on.put('/workflows/example.json', edited)
    const { result } = await on.call('example', { positive_prompt: 'z' })
    expect(nodesOf(result)['3']?.inputs.steps).toBe(5)
    expect(nodesOf(result)['6']?.inputs.text).toBe('z')
    on.put('/config/example.json', '[{"name":"example"}]')
    expect(nodesOf((await on.call('example')).result)['6']?.inputs.text).toBe('')
    on.put('/workflows/later.json', edited)
    expect((await on.call('later')).status).toBe(200)
  })

  it('that are broken cost their own tool, and are reported', async () => {
    const on = machine({
      files: {
        ...EXAMPLE,
        '/config/broken.json': '[{"name":"broken"',
        '/workflows/broken.json': EXAMPLE['/workflows/example.json'],
        '/workflows/bytes.json': new Uint8Array([0x7b, 0xff, 0x7d]),
        '/workflows/editor.json': '{"nodes":[],"links":[]}',
      },
    })
    const { tools, problems } = await on.list()
    expect(tools?.map(({ name }) => name)).toEqual(['example'])
    expect(problems).toEqual([
      expect.stringMatching(/^config\/broken\.json:1: error: not valid JSON/),
      expect.stringMatching(/^workflows\/bytes\.json:1: error: .*cannot be read; .*UTF-8/),
      expect.stringMatching(/^workflows\/editor\.json:1: error: .*File → Export \(API\)/),
    ])
    expect((await on.call('broken')).status).toBe(404)
    expect((await on.call('example', prompt)).status).toBe(200)
  })

  it('are read once: a second call reads one file and one key, of a hundred', async () => {
    const on = machine({ files: many(100) })
    expect((await on.list()).tools).toHaveLength(100)
    expect(on.reads).toHaveLength(200)
    on.reads.length = on.keys.length = 0
    expect((await on.call('tool-7', prompt)).status).toBe(200)
    expect(on.reads).toEqual(['/workflows/tool-7.json'])
    expect(on.keys).toHaveLength(1)
    on.reads.length = on.keys.length = 0
    expect((await on.list()).tools).toHaveLength(100)
    expect(on.reads).toEqual([])
    expect(on.keys).toHaveLength(1)
    const changed = many(1)['/config/tool-0.json'] ?? ''
    on.put('/config/tool-0.json', changed.replace('Seed for', 'The seed of'))
    await on.list()
    expect(on.reads).toEqual(['/config/tool-0.json', '/workflows/tool-0.json'])
  })

  it('are read each time where nothing can be stored', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const on = machine({ files: EXAMPLE, forgetful: true })
    expect((await on.list()).tools).toHaveLength(1)
    expect((await on.call('example', prompt)).status).toBe(200)
    warn.mockRestore()
  })
})
