import { expect, it } from 'vitest'
import { startDeadline } from 'ftl-http'
import { readMessages } from './messages.ts'

const read = async (body: string) => {
  const deadline = startDeadline(10_000)
  const headers = { 'content-type': 'application/json' }
  const messages = readMessages(new Response(body, { headers }), {
    deadline,
    limit: 10_000,
    secrets: [],
  })
  try {
    for await (const message of messages) return message
  } finally {
    deadline.end()
  }
  return undefined
}

it.each([
  [String.raw`{"cut \ud83d":["\ude00 and \uD83D",{"a":"\ud83d\ude00"}],"n":1,"none":null}`],
  [String.raw`{"__proto__":"\ud83d","constructor":{"toString":"\udfff"}}`],
])('half of a character is replaced, a whole one stays: %s', async (text) => {
  const expected = text
    .replaceAll(String.raw`\ud83d\ude00`, '😀')
    .replaceAll(/\\u[dD][89a-f][0-9a-fA-F]{2}/g, '\ufffd')
  expect(JSON.stringify(await read(text))).toBe(JSON.stringify(JSON.parse(expected)))
})

it('what looks like half of a character in a text of JSON stays', async () => {
  const text = String.raw`{"a":"\\ud83d"}`
  expect(JSON.stringify(await read(text))).toBe(text)
})
