import { expect, it } from 'vitest'
import { reachLine } from './tool-reach.ts'

it('names hosts and stores, and says which kinds are missing', () => {
  expect(reachLine({ hosts: ['https://api.example.com'], stores: ['default'] })).toBe(
    'May reach: api.example.com; store default; no files',
  )
})

it('a tool without rights reaches no network, no stores and no files', () => {
  expect(reachLine({})).toBe('May reach: no network; no stores; no files')
})

it('says that a host is in a variable', () => {
  expect(reachLine({ hosts: ['${api_url}'], files: ['/config', '/data'] })).toBe(
    'May reach: the host in api_url; files /config, /data; no stores',
  )
})

it('stays one line with a hundred names', () => {
  const hosts = Array.from({ length: 100 }, (_, n) => `https://h${n}.example`)
  expect(reachLine({ hosts })).toContain('h7.example and 92 more')
})

it('says nothing where the gateway does not, and ignores lists that are none', () => {
  expect(reachLine(undefined)).toBe('')
  expect(reachLine({ hosts: 'x', stores: [1, null] })).toBe(
    'May reach: no network; no stores; no files',
  )
})
