import { describe, expect, it } from 'vitest'
import { EXAMPLE, machine } from './testing/machine.ts'

const prompt = { positive_prompt: 'a fox' }

/** A ComfyUI that does not know any prompt. @param silent whether it does not confirm a submission. */
function forgetful(silent: boolean) {
  const looks: string[] = []
  const network = async (input: string | Request, init?: RequestInit) => {
    const { url } = new Request(input)
    if (url.includes('/jobs/')) {
      looks.push(url)
      return Response.json({ error: 'not found' }, { status: 404 })
    }
    if (init?.method !== 'POST') return Response.json({ exec_info: { queue_remaining: 0 } })
    if (silent) throw new TypeError('connection closed')
    return Response.json({ prompt_id: 'p', number: 1, node_errors: {} })
  }
  return { network, looks }
}

it.each(['http://comfyui:8188/, http://other:8188', 'http://comfyui:8188'])(
  'a call runs on the first server of comfyui_url: %s',
  async (comfyuiUrl) => {
    const asked = new Set<string>()
    const on = machine({
      files: EXAMPLE,
      comfyuiUrl,
      variables: { comfyui_auth: 'Bearer abc' },
      fetch: async (input, init) => {
        const { url, headers } = new Request(input, init)
        asked.add(`${new URL(url).origin} ${headers.get('authorization')}`)
        return init?.method === 'POST'
          ? Response.json({ prompt_id: 'p', number: 1, node_errors: {} })
          : Response.json({ exec_info: { queue_remaining: 0 } })
      },
    })
    expect((await on.start('example', prompt)).status).toBe('working')
    expect([...asked]).toEqual(['http://comfyui:8188 Bearer abc'])
  },
)

describe('a call when prompts wait on the server already', () => {
  const started = async (servers: unknown, waiting: number) => {
    const text = typeof servers === 'string' ? servers : JSON.stringify({ servers })
    const on = machine({
      files: { ...EXAMPLE, '/generate-image/servers.json': text },
      comfyuiUrl: 'http://comfyui:8188/',
      fetch: async (_url, init) =>
        init?.method === 'POST'
          ? Response.json({ prompt_id: 'p', number: 1, node_errors: {} })
          : Response.json({ exec_info: { queue_remaining: waiting } }),
    })
    const { status, error } = await on.start('example', prompt)
    return { status, error }
  }
  const two = [
    { name: 'other', url: 'http://other', maxQueue: 100 },
    { name: 'a', url: 'http://comfyui:8188', maxQueue: 2 },
  ]

  it('is accepted below the limit that servers.json has for this server', async () => {
    expect((await started(two, 1)).status).toBe('working')
  })

  it('is refused at the limit', async () => {
    const { status, error } = await started(two, 2)
    expect(status).toBe('failed')
    expect(error?.message).toBe(
      'Service error: Too many prompts are waiting already (2, and the limit is 2); try again later.',
    )
    expect(error?.data).toEqual({ kind: 'queue_full' })
  })

  it.each([
    ['does not name the server', [{ name: 'other', url: 'http://other', maxQueue: 1 }]],
    ['names a limit that is none', [{ name: 'a', url: 'http://comfyui:8188', maxQueue: '1' }]],
    ['is not JSON', '{'],
    ['has no list', '{"servers": 7}'],
    ['has a hole', [null]],
  ])('has the usual limit if the file %s', async (_, servers) => {
    expect((await started(servers, 31)).status).toBe('working')
    expect((await started(servers, 32)).status).toBe('failed')
  })
})

describe('with ComfyUI', () => {
  it('sends every byte but the mapped values as the file has it', async () => {
    const sent: string[] = []
    const text =
      '{ "1": {"class_type":"SaveImage", "inputs":{"seed":18446744073709551615,"cfg":1.0,"text":"x"}}}'
    const config = '[{"name":"t","fields":[{"name":"a","mapping":{"node":1,"attribute":"text"}}]}]'
    const on = machine({
      files: { '/config/t.json': config, '/workflows/t.json': text },
      comfyuiUrl: 'http://comfyui',
      fetch: async (_url, init) => {
        if (init?.method !== 'POST') return Response.json({ exec_info: { queue_remaining: 0 } })
        sent.push(await new Response(init.body).text())
        return Response.json({ prompt_id: 'p', number: 1, node_errors: {} })
      },
    })
    await on.start('t', { a: 'new "text"' })
    expect(sent).toHaveLength(1)
    expect(
      sent[0]?.startsWith(`{"prompt":${text.replace('"x"', '"new \\"text\\""')},"prompt_id":"`),
    ).toBe(true)
  })

  it.each([
    [
      'a value the node refuses',
      {
        error: {
          type: 'prompt_outputs_failed_validation',
          message: 'x',
          details: '',
          extra_info: {},
        },
        node_errors: {
          3: {
            class_type: 'KSampler',
            errors: [
              {
                type: 'value_smaller_than_min',
                message: 'Value 0 smaller than min of 1',
                details: 'seed',
                extra_info: { input_name: 'seed', received_value: 0 },
              },
            ],
          },
        },
      },
      {
        message: 'Service error: "seed": Value 0 smaller than min of 1.',
        data: { kind: 'invalid_value', fields: ['seed'] },
      },
    ],
    [
      'a node that is not installed',
      {
        error: {
          type: 'missing_node_type',
          message: 'x',
          details: "Node ID '#4'",
          extra_info: { node_id: '4', class_type: 'Nope' },
        },
        node_errors: {},
      },
      {
        message: 'Service error: The ComfyUI server does not have the node "Nope".',
        data: { kind: 'missing_node' },
      },
    ],
  ])('tells %s in the words of the tool', async (_, refusal, wanted) => {
    const on = machine({
      files: EXAMPLE,
      comfyuiUrl: 'http://comfyui',
      fetch: async (_input, init) =>
        init?.method === 'POST'
          ? Response.json(refusal, { status: 400 })
          : Response.json({ exec_info: { queue_remaining: 0 } }),
    })
    const job = await on.start('example', prompt)
    expect(job).toMatchObject({ status: 'failed', error: wanted })
  })

  it('takes no more than the server’s queue should hold', async () => {
    const on = machine({
      files: EXAMPLE,
      comfyuiUrl: 'http://comfyui',
      fetch: async () => Response.json({ exec_info: { queue_remaining: 32 } }),
    })
    expect(await on.start('example', prompt)).toMatchObject({
      status: 'failed',
      error: { data: { kind: 'queue_full' } },
    })
  })

  it.each([
    [
      'was accepted',
      'The job was lost: ComfyUI no longer knows it, because it was restarted',
      false,
    ],
    ['may have been accepted', 'The job was lost before ComfyUI accepted it', true],
  ])('reports a job that %s as lost when two polls do not find it', async (_, words, silent) => {
    const { network, looks } = forgetful(silent)
    const on = machine({ files: EXAMPLE, comfyuiUrl: 'http://comfyui', fetch: network })
    const { id, status } = await on.start('example', prompt)
    expect(status).toBe('working')
    looks.length = 0
    expect(await on.look(id)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining(words) as string, data: { kind: 'server_lost' } },
    })
    expect(looks).toHaveLength(2)
  })

  it('refuses wrong arguments before there is a job', async () => {
    const on = machine({ files: EXAMPLE, comfyuiUrl: 'http://comfyui' })
    expect((await on.call('example', {})).status).toBe(400)
  })
})
