import Anthropic from '@anthropic-ai/sdk'

export default async ({ server }) => {
  const client = new Anthropic({ apiKey: 'none', baseURL: server })
  const { content } = await client.messages.create({
    model: 'any',
    max_tokens: 10,
    messages: [{ role: 'user', content: 'Hello' }],
  })
  return content[0].text
}
