// The shipped application with the demo model: a picture is asked for in words, and comes.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort, ftl, type RunningCommand } from '../support/command.ts'
import { chat } from './application.ts'

let command: RunningCommand
let url: string
beforeAll(async () => {
  const [gateway, bridge, comfyui] = [await freePort(), await freePort(), await freePort()]
  url = `http://127.0.0.1:${gateway}`
  command = ftl([
    ...['start', '--demo-model', '--state-dir', '', '--render-seconds', '1'],
    ...['--listen', `127.0.0.1:${gateway}`, '--bridge-port', String(bridge)],
    ...['--comfyui-port', String(comfyui)],
  ])
  await command.printed('Ctrl-C ends everything', 110_000)
})
afterAll(async () => {
  command.signal('SIGINT')
  await command.exited
})

it('prints the address of the chat and that it uses the demo model', () => {
  expect(command.output()).toContain(`${url}/api/chat (demo model)`)
  expect(command.output()).toContain('docs/chat.md')
})

it('draws and calculates at once', async () => {
  const lines = await chat({ url }, 'Draw me a picture of a lighthouse, and what is 6*7?')
  const { response } = lines.at(-1) ?? {}
  expect(response?.toolCalls).toMatchObject([
    {
      tool: 'generate_image',
      isError: false,
      jobId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    },
    { tool: 'calculator', isError: false },
  ])
  expect(response?.content).toContain('That makes 42.')
  expect(response?.artifacts).toMatchObject([{ type: 'image', mimeType: 'image/png' }])
  const address = new URL(response?.artifacts[0]?.['url'] as string, url)
  expect(address.origin).toBe(url)
  const picture = await fetch(address)
  expect(picture.headers.get('content-type')).toBe('image/png')
  const [artifact] = lines.filter(({ type }) => type === 'artifact')
  expect(artifact?.artifact).toEqual(response?.artifacts[0])
})
