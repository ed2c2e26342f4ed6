import { expect, it } from 'vitest'
import { createSandbox } from './sandbox.ts'

const page = {
  html: '<script type="module" src="./proxy-1.js"></script>',
  hash: 'a',
  files: { 'proxy-1.js': { type: '', body: 'relay("$&")', gzip: '', brotli: '' } },
}
const sandbox = createSandbox(page)

function policyOf(query = ''): Map<string, string> {
  const response = sandbox(new Request(`http://localhost/app/sandbox${query}`), 'n0')
  const [policy = ''] = (response.headers.get('content-security-policy') ?? '').split(', ')
  return new Map(
    policy.split('; ').map((part) => {
      const [name = '', ...values] = part.split(' ')
      return [name, values.join(' ')]
    }),
  )
}

it('has an opaque origin, and reaches nothing unless an app declares it', async () => {
  const policy = policyOf()
  expect(policy.get('sandbox')).toBe('allow-scripts allow-forms')
  expect(policy.get('default-src')).toBe("'none'")
  for (const name of ['connect-src', 'frame-src', 'base-uri', 'form-action', 'object-src']) {
    expect(policy.get(name), name).toBe("'none'")
  }
  expect(policy.get('frame-ancestors')).toBe("'self'")
  expect([...policy.values()].filter((value) => value.includes("'self'"))).toEqual(["'self'"])
  const response = sandbox(new Request('http://localhost/app/sandbox'), 'n0')
  expect(await response.text()).toBe('<script type="module" nonce="n0">relay("$&")</script>')
  expect(response.headers.get('connection-allowlist')).toBe('()')
})

it('permits the origins that are declared, each for its kind only', () => {
  const policy = policyOf(
    '?connect=wss://a.example&resource=https://b.example&frame=https://c.example',
  )
  expect(policy.get('connect-src')).toBe('wss://a.example')
  expect(policy.get('frame-src')).toBe('https://c.example')
  for (const name of ['script-src', 'style-src', 'img-src', 'media-src', 'font-src']) {
    expect(policy.get(name), name).toContain('https://b.example')
    expect(policy.get(name), name).not.toMatch(/a\.example|c\.example/)
  }
})

it('runs no script without the nonce, also not one of a declared host', () => {
  const request = new Request('http://localhost/app/sandbox?resource=https://b.example')
  const { headers } = sandbox(request, 'n0')
  const [, scripts] = (headers.get('content-security-policy') ?? '').split(', ')
  expect(scripts).toBe("script-src-elem 'nonce-n0' 'strict-dynamic'; script-src-attr 'none'")
})

it('names all hosts that an app may connect to, for browsers that hold every connection to it', () => {
  const query = 'connect=wss://a.example:81&resource=https://*.b.example&frame=wss://a.example:81'
  const { headers } = sandbox(new Request(`http://localhost/app/sandbox?${query}`), 'n0')
  expect(headers.get('connection-allowlist')).toBe(
    '("wss://a.example:81/*" "https://a.example:81/*" "https://*.b.example/*")',
  )
})

it('lets no value add a directive', () => {
  const value = encodeURIComponent('https://a.example; sandbox allow-same-origin; script-src *')
  const policy = policyOf(`?connect=${value}&resource=${value}&base=${value}`)
  expect([...policy]).toEqual([...policyOf()])
})

it('is refused at build time without its script', () => {
  expect(() => createSandbox({ ...page, files: {} })).toThrow('proxy-1.js')
  expect(() => createSandbox({ ...page, html: '<p>' })).toThrow('no script')
})
