import { startSimulator } from 'ftl-comfyui/simulator'
import { expect, it } from 'vitest'
import { EXAMPLE, machine } from './testing/machine.ts'

const KEY = 'comfyui-1234567890abcdef'
const variables = { comfyui_api_key: KEY }
const prompt = { positive_prompt: 'a fox' }

it('sends the account key with the prompt, and stores it nowhere', async () => {
  const simulator = await startSimulator({ port: 0, renderSeconds: 0 })
  const sent: string[] = []
  try {
    const on = machine({
      files: EXAMPLE,
      comfyuiUrl: simulator.url,
      variables,
      fetch: async (url, init) => {
        if (typeof init?.body === 'string') sent.push(init.body)
        return fetch(url, init)
      },
    })
    const { id } = await on.start('example', prompt)
    expect(sent.map((body) => JSON.parse(body) as unknown)).toMatchObject([
      { extra_data: { api_key_comfy_org: KEY } },
    ])
    const record = await on.look(id)
    const history = await (await fetch(`${simulator.url}/api/history`)).text()
    const store = await on.platform.openKeyValue('default')
    const values = await Promise.all((await store.keys()).map((key) => store.get(key)))
    const stored = values.map((value) => new TextDecoder().decode(value))
    for (const text of [JSON.stringify(record), history, ...stored]) expect(text).not.toContain(KEY)
    expect(stored.join()).toContain(id)
  } finally {
    await simulator.close()
  }
})

it('hides the key when a refused prompt repeats it', async () => {
  const on = machine({
    files: EXAMPLE,
    comfyuiUrl: 'http://comfyui',
    variables,
    fetch: async (_url, init) =>
      init?.method === 'POST'
        ? Response.json(
            {
              error: { type: 'rejected', message: `The key ${KEY} has no credits`, details: '' },
              node_errors: {},
            },
            { status: 400 },
          )
        : Response.json({ exec_info: { queue_remaining: 0 } }),
  })
  const { result } = await on.call('example', prompt)
  expect(JSON.stringify(result)).toContain('The key [key] has no credits')
  expect(JSON.stringify(result)).not.toContain(KEY)
})

it('hides the key when a node repeats it in its error or its text', async () => {
  const node = { exception_type: 'Exception', exception_message: `401 for ${KEY}`, node_id: '9' }
  const answers = [
    {
      status: 'failed',
      execution_error: node,
      execution_status: {
        status_str: 'error',
        completed: false,
        messages: [['execution_error', node]],
      },
    },
    { status: 'completed', outputs: { 9: { text: [`used ${KEY}`] } } },
  ]
  for (const answer of answers) {
    const on = machine({
      files: EXAMPLE,
      comfyuiUrl: 'http://comfyui',
      variables,
      fetch: async (url, init) => {
        if (new Request(url).url.includes('/jobs/')) return Response.json({ id: 'x', ...answer })
        return init?.method === 'POST'
          ? Response.json({ prompt_id: 'p', number: 1, node_errors: {} })
          : Response.json({ exec_info: { queue_remaining: 0 } })
      },
    })
    const { id } = await on.start('example', prompt)
    const record = JSON.stringify(await on.look(id))
    expect(record).toContain('[key]')
    expect(record).not.toContain(KEY)
  }
})
