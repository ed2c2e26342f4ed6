import { expect, it } from 'vitest'
import { createSandbox } from './sandbox.ts'

const page = {
  html: '<script type="module" src="./proxy-1.js"></script>',
  hash: 'a',
  files: { 'proxy-1.js': { type: '', body: 'relay("$&")', gzip: '', brotli: '' } },
}
const sandbox = createSandbox(page)

function policyOf(query = ''): Map<string, string> {
  const response = sandbox(new Request(`http://localhost/app/sandbox${query}`))
  const policy = response.headers.get('content-security-policy') ?? ''
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
  const response = sandbox(new Request('http://localhost/app/sandbox'))
  expect(await response.text()).toBe('<script type="module">relay("$&")</script>')
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

it('lets no value add a directive', () => {
  const value = encodeURIComponent('https://a.example; sandbox allow-same-origin; script-src *')
  const policy = policyOf(`?connect=${value}&resource=${value}&base=${value}`)
  expect([...policy]).toEqual([...policyOf()])
})

it('is refused at build time without its script', () => {
  expect(() => createSandbox({ ...page, files: {} })).toThrow('proxy-1.js')
  expect(() => createSandbox({ ...page, html: '<p>' })).toThrow('no script')
})
