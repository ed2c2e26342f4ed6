import OpenAI from 'openai'

export default async ({ server }) => {
  const client = new OpenAI({ apiKey: 'none', baseURL: `${server}/v1` })
  const { choices } = await client.chat.completions.create({
    model: 'any',
    messages: [{ role: 'user', content: 'Hello' }],
  })
  return choices[0].message.content
}
