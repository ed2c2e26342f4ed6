import { describe, expect, it } from 'vitest'
import { isPrivate, whyNoLink } from './address.ts'

const hostOf = (address: string) => new URL(address).hostname

describe('an address in a result', () => {
  it.each([
    ...['https://localhost/', 'https://a.localhost/', 'https://printer/', 'https://x.local/'],
    ...['https://127.0.0.1/', 'https://2130706433/', 'https://0x7f.1/', 'https://017700000001/'],
    ...[
      'https://10.1.2.3/',
      'https://172.16.0.1/',
      'https://172.31.255.255/',
      'https://192.168.1.1/',
    ],
    ...['https://169.254.169.254/latest', 'https://100.64.0.1/', 'https://0.0.0.0/'],
    ...['https://[::1]/', 'https://[fd00::1]/', 'https://[fe80::1]/', 'https://[::ffff:8.8.8.8]/'],
    ...['https://metadata.google.internal/', 'https://router.home.arpa./', 'https://intern./'],
  ])('%s leads into a private network', (address) => {
    expect(isPrivate(hostOf(address))).toBe(true)
    expect(whyNoLink(new URL(address))).toContain('private')
  })

  it.each([
    ...[
      'https://example.com/',
      'https://local.example/',
      'https://10.example/',
      'https://8.8.8.8/',
    ],
    ...[
      'https://172.32.0.1/',
      'https://100.128.0.1/',
      'https://[2606:4700::1111]/',
      'https://fd.example/',
    ],
  ])('%s may be a link', (address) => {
    expect(whyNoLink(new URL(address))).toBeUndefined()
  })

  it.each(['http://example.com/', 'javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x'])(
    '%s is no link',
    (address) => {
      expect(whyNoLink(new URL(address))).toContain('only https')
    },
  )

  it('that is not one is no link', () => {
    expect(whyNoLink(undefined)).toContain('only https')
  })
})
