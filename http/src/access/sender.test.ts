import { describe, expect, it } from 'vitest'
import { isFromComponent, namesComponent, ownAddress, remoteSign } from './sender.ts'

const request = (url: string, ...senders: string[]) => {
  const headers = new Headers()
  for (const sender of senders) headers.append('spin-client-addr', sender)
  return new Request(url, { headers })
}
const INSIDE = 'http://echo.spin.internal/'

describe('a request is from a component', () => {
  it.each([['0.0.0.0:0'], ['127.0.0.1:5000', '0.0.0.0:0'], ['6.6.6.6:1, 0.0.0.0:0']])(
    'if the host says so last: %j',
    (...senders) => {
      expect(isFromComponent(request(INSIDE, ...senders))).toBe(true)
    },
  )

  it.each([
    [],
    [''],
    ['127.0.0.1:5000'],
    ['0.0.0.0:0', '203.0.113.7:4711'],
    ['0.0.0.0:0, 203.0.113.7:4711'],
    ['10.0.0.0:0'],
    ['0.0.0.0:01'],
    ['0.0.0.0:0 '.trim() + ' x'],
    ['[::]:0'],
  ])('and otherwise not: %j', (...senders) => {
    expect(isFromComponent(request(INSIDE, ...senders))).toBe(false)
  })

  it('only under the name of a component, where a server lets clients send the header', () => {
    expect(isFromComponent(request('http://gateway.example/', '0.0.0.0:0'))).toBe(false)
  })
})

it.each([
  'spin.internal',
  'A.Spin.Internal',
  'a.b.spin.internal',
  'a.spin.internal.',
  'a.spin.internal..',
])('%s is a name of a component', (name) =>
  expect(namesComponent(new URL(`http://${name}:80/`))).toBe(true),
)

it.each(['notspin.internal', 'a.spin.internal.example', 'spin.internals', 'localhost'])(
  '%s is none',
  (name) => expect(namesComponent(new URL(`http://${name}/`))).toBe(false),
)

describe('a request is of a program on this machine', () => {
  it.each([
    ['http://localhost:3000/', '127.0.0.1:5000'],
    ['http://app.localhost/', '127.9.9.9:1'],
    ['http://127.0.0.1/', '[::1]:5000'],
    ['http://[::1]:3000/', '::1:5000'],
    ['http://localhost/', '::ffff:127.0.0.1:5000'],
  ])('at %s from %s', (url, sender) => {
    expect(remoteSign(request(url, sender))).toBeUndefined()
    expect(ownAddress(request(url, sender))?.href).toBe(url)
  })

  it.each([
    [[]],
    [['203.0.113.7:5000']],
    [['0.0.0.0:0']],
    [['127.0.0.1:5000', '203.0.113.7:5000']],
    [['127.0.0.1:5000', '0.0.0.0:0']],
    [['127.0.0.1.evil.example:80']],
  ])('and not from %j', (senders) => {
    const sent = request('http://localhost:3000/', ...senders)
    expect(remoteSign(sent)).toBe('spin-client-addr')
    expect(ownAddress(sent)).toBeUndefined()
  })

  it.each(['forwarded', 'via', 'X-Forwarded-For', 'x-real-ip', 'cf-ray'])(
    'and not through a proxy that adds %s',
    (name) => {
      const sent = request('http://localhost:3000/', '127.0.0.1:5000')
      sent.headers.set(name, 'x')
      expect(remoteSign(sent)).toBe(name.toLowerCase())
      expect(ownAddress(sent)).toBeUndefined()
    },
  )

  it('at no other name, whose address does not say where its sender is', () => {
    const sent = request('http://gateway.example/', '203.0.113.7:5000')
    expect(remoteSign(sent)).toBe('host')
    expect(ownAddress(sent)?.hostname).toBe('gateway.example')
  })
})
