// Prompts: https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
import { describe, expect, it } from 'vitest'
import { useApplication } from './application.ts'
import { capabilitiesAt } from './checks.ts'
import { ALL, ask } from './client.ts'

const application = useApplication()

describe.each(ALL)('prompts at %s', (revision) => {
  const get = (params: Record<string, unknown>) =>
    ask(application.url, 'prompts/get', params, { revision })

  it('[prompts.capability] are declared', async () => {
    expect(await capabilitiesAt(application.url, revision)).toMatchObject({ prompts: {} })
  })

  it('[prompts.list] are listed with their arguments', async () => {
    const { status, result } = await ask(application.url, 'prompts/list', {}, { revision })
    expect(status).toBe(200)
    expect(result['prompts']).toContainEqual({
      name: 'travel',
      description: 'Plans a journey',
      arguments: [
        { name: 'city', description: 'Where to', required: true },
        { name: 'country', description: 'In which country' },
      ],
    })
    const names = (result['prompts'] as { name: string }[]).map(({ name }) => name)
    expect(names).toContain('test_simple_prompt')
  })

  it('[prompts.get] answer with messages', async () => {
    const { status, result } = await get({ name: 'test_simple_prompt' })
    expect(status).toBe(200)
    expect(result['messages']).toEqual([
      { role: 'user', content: { type: 'text', text: 'This is a simple prompt for testing.' } },
    ])
  })

  it('[prompts.arguments] see their arguments', async () => {
    const args = { arg1: 'Grüße', arg2: "it's" }
    const { result } = await get({ name: 'test_prompt_with_arguments', arguments: args })
    expect(result['messages']).toEqual([
      {
        role: 'user',
        content: { type: 'text', text: "Prompt with arguments: arg1='Grüße', arg2='it's'" },
      },
    ])
  })

  it('[prompts.content] may bring images and resources', async () => {
    const uri = 'test://example'
    const resource = await get({
      name: 'test_prompt_with_embedded_resource',
      arguments: { resourceUri: uri },
    })
    expect((resource.result['messages'] as unknown[])[0]).toEqual({
      role: 'user',
      content: {
        type: 'resource',
        resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      },
    })
    const image = await get({ name: 'test_prompt_with_image' })
    expect((image.result['messages'] as unknown[])[0]).toMatchObject({
      role: 'user',
      content: {
        type: 'image',
        mimeType: 'image/png',
        data: expect.stringMatching(/^iVBORw0KGgo/) as unknown,
      },
    })
  })

  it.each(['no_such_prompt', 'test_simple_text', '__proto__', 'x'.repeat(10_000)])(
    '[prompts.unknown] that are not there are -32602: %.20s',
    async (name) => {
      const { status, error } = await get({ name })
      expect([status, error?.code]).toEqual([200, -32602])
    },
  )

  it('[prompts.missing-argument] say which argument is missing', async () => {
    const { error, text } = await get({
      name: 'test_prompt_with_arguments',
      arguments: { arg1: 'a' },
    })
    expect(error?.code).toBe(-32602)
    expect(text).toContain('arg2')
  })

  it.each([[{ city: 5 }], [{ city: null }], [['Rome']], ['Rome']])(
    '[prompts.arguments-validated] do not see the arguments %j',
    async (args) => {
      const { error, messages } = await get({ name: 'travel', arguments: args })
      expect([error?.code, messages[0]?.id]).toEqual([-32602, 1])
    },
  )
})
