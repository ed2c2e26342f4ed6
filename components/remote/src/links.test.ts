import { expect, test } from 'vitest'
import { type Addresses, placeOf } from './addresses.ts'
import { linkedContent, linksOf } from './links.ts'
import { publishOthers } from './publish-others.ts'
import type { RemoteServer } from './servers.ts'
import type { KeptList } from './store.ts'

const TEMPLATES = 200

const addresses: Addresses = {
  resources: { 'note://listed': { server: 'notes', uri: 'note://listed' } },
  templates: Array.from({ length: TEMPLATES }, (_, index) => ({
    published: `note://{day}/${index}`,
    server: 'notes',
    template: `note://{day}/${index}`,
  })),
  servers: ['notes'],
  denied: {},
  skills: [],
}

test('a link that a template matches keeps its address', () => {
  const link = linksOf(addresses, 'notes')
  expect(linkedContent({ type: 'resource_link', uri: 'note://1/0', name: '' }, link)).toEqual({
    type: 'resource_link',
    uri: 'note://1/0',
    name: '',
  })
  expect(link('other://1')).toBe('remote://notes/other://1')
})

test('an answer with more links than can be compared has the others with the name of the server', () => {
  const link = linksOf(addresses, 'notes')
  const links = Array.from({ length: 100_000 }, (_, index) => link(`note://${index}/0`))
  expect(links[0]).toBe('note://0/0')
  expect(links.at(-1)).toBe('remote://notes/note://99999/0')
  // What is listed is found at once, and what was found is known.
  expect(link('note://listed')).toBe('note://listed')
  expect(link('note://0/0')).toBe('note://0/0')
})

test.each(['constructor', '__proto__', 'toString'])('a server can have the name %s', (name) => {
  const kept = { listedAt: 1, features: ['resources'] } as unknown as KeptList
  const serverOf = (denied: string[]) => ({ name, denied, prefix: '' }) as unknown as RemoteServer
  for (const denied of [[], ['note://secret']]) {
    const { others } = publishOthers([serverOf(denied)], new Map([[name, kept]]))
    const stored = JSON.parse(JSON.stringify(others)) as typeof others
    const own = placeOf(stored.addresses, `remote://${name}/note://secret`)
    expect(own).toEqual(denied.length > 0 ? undefined : { server: name, uri: 'note://secret' })
  }
})
