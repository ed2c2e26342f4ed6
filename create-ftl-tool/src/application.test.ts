import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseManifest } from 'ftl-host'
import { describe, expect, it } from 'vitest'
import { applicationFiles, neededPackages, ownVersion, versionOf } from './application.ts'
import { TEMPLATES } from './template.ts'

const repository = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const values = { rustCrate: '"0.1"' }

it('git ignores what the documentation puts beside spin.toml and others must not read', () => {
  const [template] = TEMPLATES
  if (!template) throw new Error('there is no template')
  const ignored = applicationFiles('my-app', template, values).get('.gitignore') ?? ''
  const secret = [
    ...['.env', 'key.txt', 'remote-servers.json', 'runtime.toml', 'spin-separate-runtime.toml'],
    ...['monday.db', 'monday.rdb', 'audit.jsonl', 'publisher.pem', 'conf/server.key'],
  ]
  const shared = ['spin.toml', 'packages/ftl-0.1.0.tgz', 'tools/my-app/cities.db', 'ftl.lock']
  const folder = mkdtempSync(join(tmpdir(), 'ftl-ignored-'))
  try {
    execFileSync('git', ['init', '--quiet'], { cwd: folder })
    writeFileSync(join(folder, '.gitignore'), ignored)
    const command = ['check-ignore', '--no-index', ...secret, ...shared]
    const said = execFileSync('git', command, { cwd: folder, encoding: 'utf8' })
    expect(said.trim().split('\n')).toEqual(secret)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

describe.each(TEMPLATES)('a new application with $id', (template) => {
  const files = applicationFiles('my-app', template, values)
  const file = (path: string) => files.get(path) ?? ''
  const manifest = parseManifest(file('spin.toml'), '/my-app/spin.toml')

  it('has a manifest with a public gateway and a private tool it knows', () => {
    expect([...manifest.components.keys()]).toEqual(['mcp-gateway', 'my-app'])
    expect(manifest.triggers.map(({ route }) => route)).toEqual(['/...', undefined])
    expect(manifest.variables.get('tool_components')?.default).toBe('my-app')
  })

  it('has every file the manifest names', () => {
    const component = manifest.components.get('my-app')
    const named = component?.tool['ftl']?.['entry']
    const entry = typeof named === 'string' ? named : 'tools/my-app/src/lib.rs'
    if (entry.includes('/')) expect(files.has(entry)).toBe(true)
    for (const mount of component?.files ?? []) {
      const folder = 'source' in mount ? mount.source : ''
      expect([...files.keys()].some((path) => path.startsWith(`${folder}/`))).toBe(true)
    }
  })

  it('has a test, and nothing left of the names in the template', () => {
    const all = [...files.values()].join('\n')
    expect(all).toMatch(/\bit\('|#\[test\]/)
    expect([...files.keys()].join() + all).not.toMatch(/template[-_]name/i)
  })

  it('tells agents, a pipeline and an editor only of commands and files that there are', () => {
    const { scripts } = JSON.parse(file('package.json')) as { scripts: Record<string, string> }
    const guides = [file('AGENTS.md'), file('.github/workflows/test.yml')]
    for (const text of guides) {
      for (const [, name = ''] of text.matchAll(/npm run ([\w-]+)/g))
        expect(scripts).toHaveProperty(name)
      for (const [, path = ''] of text.matchAll(/(tools\/[\w/-]*[a-z])/g))
        expect([...files.keys()].some((each) => each.startsWith(`${path}/`))).toBe(true)
      for (const [, page = ''] of text.matchAll(/`([\w-]+\.md)`/g))
        expect(() => repository(`docs/${page}`)).not.toThrow()
    }
    const launch = file('.vscode/launch.json')
    if (template.id === 'rust') return expect(launch).toBe('')
    const { configurations } = JSON.parse(launch) as { configurations: { program: string }[] }
    expect(configurations[0]?.program).toContain('node_modules/vitest/vitest.mjs')
  })

  it('depends on every package its sources import', () => {
    const { dependencies, devDependencies } = JSON.parse(file('package.json')) as {
      dependencies: Record<string, string>
      devDependencies: Record<string, string>
    }
    for (const [path, text] of files) {
      if (!path.endsWith('.ts')) continue
      for (const [, name = ''] of text.matchAll(/from '((?!\.|node:)[^'/]+)/g)) {
        const isTest = /\.test\.ts$/.test(path)
        expect(isTest ? { ...dependencies, ...devDependencies } : dependencies).toHaveProperty([
          name,
        ])
      }
    }
  })
})

describe('versions', () => {
  const { devDependencies } = JSON.parse(repository('package.json')) as {
    devDependencies: Record<string, string>
  }

  it.each(TEMPLATES)('of $id are those this repository is tested with', (template) => {
    for (const name of neededPackages(template)) {
      // Older ones on purpose: they run on the oldest Node that the packages support.
      if (name === 'vitest' || name === 'vite') continue
      const own = name.startsWith('ftl') ? ownVersion() : devDependencies[name]
      expect([name, versionOf(name)]).toEqual([name, `^${own}`])
    }
  })
})
