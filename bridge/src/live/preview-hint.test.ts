import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { previewHint } from './preview-hint.ts'

let body = ''
const server = createServer((_, response) => void response.end(body))
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const hintFor = (system: unknown) => {
  body = typeof system === 'string' ? system : JSON.stringify({ system })
  return previewHint(url)
}

it.each(['0.3.64', '0.5.0', 'v0.4.9'])('ComfyUI %s needs a flag', async (comfyui_version) => {
  expect(await hintFor({ comfyui_version, argv: ['main.py'] })).toContain('--preview-method auto')
})

it.each([
  [{ comfyui_version: '0.5.1' }],
  [{ comfyui_version: '0.33.0' }],
  [{ comfyui_version: '1.0.0' }],
  [{ comfyui_version: '0.3.64', argv: ['main.py', '--preview-method', 'taesd'] }],
  [{ comfyui_version: '0.3.64', argv: ['main.py', '--preview-method=auto'] }],
  [{ comfyui_version: 'unknown' }],
  [null],
  ['<html>'],
])('nothing is said of %j', async (system) => {
  expect(await hintFor(system)).toBeUndefined()
})

it('nothing is said of a server that is not there', async () => {
  expect(await previewHint('http://127.0.0.1:9')).toBeUndefined()
})
