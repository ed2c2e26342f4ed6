import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { loadManifest } from 'ftl-host'
import { expect, it } from 'vitest'
import { addressVariables, comfyuiProblem, hidden, readComfyuiAddress } from './address.ts'

const typed = (url: string) => `TYPE ${url}`

it.each([
  ['http://gpu:8188', { origin: 'http://gpu:8188', path: '' }],
  [' https://gpu/ ', { origin: 'https://gpu', path: '' }],
  ['http://gpu/comfyui/', { origin: 'http://gpu', path: '/comfyui' }],
  ['http://gpu:8188/api', { origin: 'http://gpu:8188', path: '' }],
  ['http://gpu/a/b/api/', { origin: 'http://gpu', path: '/a/b' }],
  [
    'http://me:p%40s@gpu:1',
    { origin: 'http://gpu:1', path: '', auth: `Authorization: Basic ${btoa('me:p@s')}` },
  ],
])('%s is read', (text, address) => {
  expect(readComfyuiAddress(text, typed)).toEqual(address)
})

it.each([
  ['127.0.0.1:8188', /has no scheme\. Type: TYPE http:\/\/127\.0\.0\.1:8188$/],
  ['gpu', /has no scheme\. Type: TYPE http:\/\/gpu$/],
  ['me:secret@gpu:8188', /has no scheme\. Type: TYPE http:\/\/gpu:8188$/],
  ['ws://gpu:8188', /must begin with http:\/\/ .* TYPE http:\/\/gpu:8188$/],
  ['http://', /is not a URL/],
])('%s is refused with what to type, and without a password', (text, message) => {
  expect(() => readComfyuiAddress(text, typed)).toThrow(message)
  expect(() => readComfyuiAddress(text, typed)).not.toThrow(/secret/)
})

it('a path and credentials become variables, which the shipped application has', async () => {
  const address = readComfyuiAddress('http://me:s@gpu/comfyui', typed)
  const { variables } = await loadManifest(
    fileURLToPath(new URL('../../../spin.toml', import.meta.url)),
  )
  expect(addressVariables(address, variables)).toEqual({
    comfyui_path: '/comfyui',
    comfyui_auth: `Authorization: Basic ${btoa('me:s')}`,
  })
  expect(() => addressVariables(address, new Set(['comfyui_url']))).toThrow(
    /comfyui_path and comfyui_auth[^]*comfyui_auth = \{ default = "", secret = true \}[^]*comfyui_path = "\{\{ comfyui_path \}\}"/,
  )
  expect(addressVariables(readComfyuiAddress('http://gpu', typed), new Set([]))).toEqual({})
})

async function ask(status: number, body: string, headers: Record<string, string> = {}) {
  const server = createServer((request, response) => {
    const isKnown = request.headers.authorization === 'Bearer good'
    response.writeHead(isKnown ? 200 : status, headers)
    response.end(isKnown ? '{"system":{"comfyui_version":"0.33.0"}}' : body)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const look = (auth?: string) => comfyuiProblem({ origin, path: '', ...(auth && { auth }) }, typed)
  try {
    return {
      found: await look(),
      allowed: await look('Bearer good'),
      denied: await look('Bearer bad'),
    }
  } finally {
    server.close()
  }
}

it.each([
  [401, '', {}, /needs a user and password, or a token/, /USER:PASSWORD@127.*Bearer TOKEN/],
  [
    302,
    '',
    { location: 'https://login.example/?x=secret' },
    /redirects to https:\/\/login\.example\/$/,
    /login/,
  ],
  [404, 'not found', {}, /not the address of ComfyUI \(status 404\)/, /\/comfyui/],
  [200, '<html>', {}, /not the address of ComfyUI/, /port/],
  [502, '<html>', {}, /a proxy answers that ComfyUI is down/, /start ComfyUI/],
])(
  'an answer %i says what is wrong and what to type',
  async (status, body, headers, message, remedy) => {
    const { found, allowed, denied } = await ask(status, body, headers)
    expect(found?.message).toMatch(message)
    expect(found?.remedy).toMatch(remedy)
    expect(allowed).toBeUndefined()
    if (status === 401) expect(denied?.message).toMatch(/refuses the user, password or token/)
  },
)

it('a closed port is named', async () => {
  const found = await comfyuiProblem({ origin: 'http://127.0.0.1:9', path: '' }, typed)
  expect(found).toEqual({
    message: expect.stringMatching(
      /nothing listens at 127\.0\.0\.1:9|could not be reached/,
    ) as string,
    remedy: 'start ComfyUI, or name its address: TYPE http://HOST:8188',
  })
})

it('no password is shown', () => {
  expect(hidden('http://a:b@c/d?e#f')).toBe('http://c/d')
  expect(hidden('a:b@c')).toBe('c')
})
