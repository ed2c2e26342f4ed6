import { describe, expect, it } from 'vitest'
import { checkServerJson } from '../../../test/registry/server-json-rules.ts'
import { serverJson } from './server-json.ts'

const about = {
  name: '@acme/weather',
  version: '1.2.0',
  digest: `sha256:${'0'.repeat(64)}`,
  world: 'ftl:component@0.1.0',
  reach: {},
  tools: ['forecast'],
}
const settings = {
  ...{ name: '@acme/weather', version: '1.2.0', description: '' },
  mcpName: 'io.example.acme/weather',
}

describe('server.json', () => {
  it('keeps the rules of the registry, with everything and with nothing optional', () => {
    const everything = serverJson(
      about,
      { ...settings, description: 'x'.repeat(300), repository: 'https://git.example/acme/weather' },
      {
        isOnNpm: true,
        oci: 'registry.example/acme/weather:1.2.0',
        remote: 'https://a.example/mcp',
      },
    )
    expect(checkServerJson(everything)).toEqual([])
    expect(checkServerJson(serverJson(about, settings, { isOnNpm: false }))).toEqual([])
  })

  it('is checked: the rules refuse a wrong name and a long description', () => {
    const wrong = { ...serverJson(about, settings, { isOnNpm: true }), name: 'weather' }
    expect(checkServerJson(wrong)).not.toEqual([])
    expect(checkServerJson({ ...wrong, name: 'a/b', description: 'x'.repeat(101) })).not.toEqual([])
  })

  it.each(['http://a.example/mcp', 'https://ada:pw@a.example/mcp', 'weather'])(
    'has no remote %s',
    (remote) => {
      expect(() => serverJson(about, settings, { isOnNpm: true, remote })).toThrow('--url')
    },
  )
})
