import { memoryPlatform } from 'ftl-platform/memory'
import { describe, expect, it } from 'vitest'
import { createComfyClient } from '../client/client.ts'
import { submitPrompt } from './submit.ts'

const FILES = ['sub/m.safetensors', 'sub/deep/vae.pt', 'other.safetensors']
const info = (options: string[]) => ({
  Loader: { input: { required: { name: ['COMBO', { options }] } }, output: ['MODEL'] },
})

/** Refuses names that it does not have, as ComfyUI does; of many it sends no list. */
function server(files: string[], isListed: boolean) {
  const sent: string[] = []
  const client = createComfyClient({
    baseUrl: 'http://comfyui',
    async fetch(_, init) {
      if (init?.method !== 'POST') return Response.json(info(files))
      sent.push(init.body as string)
      const { prompt } = JSON.parse(init.body as string) as {
        prompt: Record<string, { inputs: { name: string } }>
      }
      const bad = Object.entries(prompt).find(([, { inputs }]) => !files.includes(inputs.name))
      if (!bad) return Response.json({ prompt_id: 'p', number: 1, node_errors: {} })
      const [id, { inputs }] = bad
      const problem = {
        type: 'value_not_in_list',
        message: 'Value not in list',
        details: `name: '${inputs.name}' not in (list of length 30)`,
        extra_info: {
          input_name: 'name',
          input_config: isListed ? ['COMBO', { options: files }] : null,
          received_value: inputs.name,
        },
      }
      const node_errors = { [id]: { errors: [problem], class_type: 'Loader' } }
      return Response.json({ error: {}, node_errors }, { status: 400 })
    },
  })
  const submit = (names: string[]) => {
    const nodes = names.map(
      (name, at) =>
        `"${at}":{"class_type":"Loader","inputs":{"seed":18446744073709551615,"name":${JSON.stringify(name)}}}`,
    )
    const workflow = `{${nodes.join()}}`
    return submitPrompt(client, { workflow, promptId: 'p' }, { platform: memoryPlatform() })
  }
  return { submit, sent }
}

describe.each([
  ['with its list in the refusal', FILES, true],
  ['without', FILES, false],
  ['on Windows', FILES.map((name) => name.replaceAll('/', '\\')), false],
])('a server %s', (_, files, isListed) => {
  it('gets the files of a workflow of the other system under its own names', async () => {
    const { submit, sent } = server(files, isListed)
    const names = FILES.map((name) => (files === FILES ? name.replaceAll('/', '\\') : name))
    await expect(submit(names)).resolves.toMatchObject({ promptId: 'p', warnings: [] })
    expect(sent).toHaveLength(3)
    expect(sent.at(-1)).toContain(JSON.stringify(files[1]))
    expect(sent.at(-1)).toContain('18446744073709551615')
  })

  it('refuses one that it does not have, after one try', async () => {
    const { submit, sent } = server(files, isListed)
    await expect(submit(['no\\such.safetensors'])).rejects.toMatchObject({ kind: 'missing_model' })
    expect(sent).toHaveLength(1)
  })
})

it('a server that refuses its own name is not asked for ever', async () => {
  const { submit, sent } = server([], true)
  await expect(submit(['a/b.safetensors'])).rejects.toMatchObject({ kind: 'missing_model' })
  expect(sent).toHaveLength(1)
})
