import { describe, expect, it } from 'vitest'
import { readTarball } from '../registry/tarball.ts'
import { npmPackage } from './npm-package.ts'

const about = {
  name: '@acme/weather',
  version: '1.2.0',
  digest: `sha256:${'0'.repeat(64)}`,
  world: 'ftl:component@0.1.0',
  reach: { hosts: ['https://api.example.com'] },
  tools: ['forecast'],
}
const settings = { name: about.name, version: about.version, description: 'Weather' }
const made = () => npmPackage({ about, wasm: Buffer.from('a component') }, settings)

describe('the tarball of a package', () => {
  it('is the same each time, so that a build can be repeated and compared', () => {
    expect(made().tarball.equals(made().tarball)).toBe(true)
    expect(made().fileName).toBe('acme-weather-1.2.0.tgz')
  })

  it('has the component, and names what it may reach in its README', () => {
    const files = readTarball(made().tarball)
    expect([...files.keys()]).toEqual(['package.json', 'README.md', 'component.wasm'])
    expect(files.get('README.md')?.toString()).toContain('https://api.example.com')
  })

  it('has no scripts, no dependencies and nothing of the machine', () => {
    const text = readTarball(made().tarball).get('package.json')?.toString() ?? ''
    expect(text).not.toMatch(/scripts|ependencies/)
    expect(text).not.toContain(process.cwd())
  })
})
