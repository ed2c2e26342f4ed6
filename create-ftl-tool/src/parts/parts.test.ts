// A part in an application of a user is what this repository's own application has.
import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { PARTS, partsOf, variablesOf } from './parts.ts'

interface Toml {
  variables: Record<string, unknown>
  trigger: { http: { route: string | { private: true }; component: string }[] }
  component: Record<
    string,
    {
      allowed_outbound_hosts?: string[]
      key_value_stores?: string[]
      files?: { source: string; destination: string }[]
      variables?: Record<string, string>
    }
  >
}

const ours = parse(
  readFileSync(new URL('../../../spin.toml', import.meta.url), 'utf8'),
) as unknown as Toml

/** The components `code` and `auth` are in no manifest of this repository but those of tests. */
const components = PARTS.flatMap((part) =>
  part.components.map((each) => ({ part, ...each })),
).filter(({ spec }) => !['code', 'auth'].includes(spec.id))

describe.each(components)('the component $spec.id of a part', ({ part, spec, hasTools }) => {
  const own = ours.component[spec.id] ?? {}
  const moved = (path: string) => path.replace('components/', 'tools/')

  it('has the hosts, stores, variables and files that it has here', () => {
    expect(spec.allowedOutboundHosts).toEqual(own.allowed_outbound_hosts ?? [])
    expect(spec.keyValueStores).toEqual(own.key_value_stores ?? [])
    expect(spec.variables).toEqual(own.variables ?? {})
    const files = (own.files ?? []).map((file) => ({ ...file, source: moved(file.source) }))
    expect(spec.files).toEqual(files)
  })

  it('has the routes that it has here', () => {
    const routes = ours.trigger.http.filter((each) => each.component === spec.id)
    const isPublic = routes.every(({ route }) => typeof route === 'string')
    expect(spec.routes).toEqual(isPublic ? routes.map(({ route }) => route) : undefined)
    // The public pages of `remote` are under a path that no tool has.
    expect(hasTools).toBe(!isPublic || spec.id === 'remote')
  })

  it('brings every variable that it names', () => {
    const texts = JSON.stringify([spec.variables, spec.allowedOutboundHosts])
    const named = [...texts.matchAll(/\{\{ (\w+) \}\}/g)].map(([, name = '']) => name)
    expect(Object.keys(variablesOf(part))).toEqual(expect.arrayContaining(named))
  })
})

it('a list of parts names each once, and only parts that there are', () => {
  expect(partsOf(' web,chat, web,').map(({ id }) => id)).toEqual(['web', 'chat'])
  expect(partsOf('')).toEqual([])
  expect(() => partsOf('web,page')).toThrow('no part "page"; there are web, chat')
})
