// docs/dependencies.md gives a reason for everything that npm installs because of this repository.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { SIDE_PACKAGES } from '../../scripts/side-packages.ts'

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))
const FIELDS = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
] as const

/** An override can have overrides of its own, for what it depends on. */
interface Versions {
  [name: string]: string | Versions
}
type Manifest = { name: string } & Partial<Record<(typeof FIELDS)[number], Versions>>

const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8')

function manifests(): Manifest[] {
  const listed = execFileSync('git', ['ls-files', 'package.json', '*/package.json'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  })
  const files = listed.split('\n').filter((file) => file !== '')
  return files.map((file) => JSON.parse(read(file)) as Manifest)
}

function namesIn(versions: Versions = {}): string[] {
  return Object.entries(versions).flatMap(([name, version]) =>
    typeof version === 'string' ? [name] : [name, ...namesIn(version)],
  )
}

/** @returns each package of others, and the fields it is in. */
function thirdParty(all: readonly Manifest[]): string[] {
  const own = new Set(all.map(({ name }) => name))
  const found = all.flatMap((manifest) =>
    FIELDS.flatMap((field) =>
      namesIn(manifest[field])
        .filter((name) => !own.has(name))
        .map((name) => `${name} (${field === 'overrides' ? 'override' : 'dependency'})`),
    ),
  )
  return [...new Set(found)].sort()
}

/** The names in the first column of the tables of a section. */
function namedIn(markdown: string): Set<string> {
  const rows = [...markdown.matchAll(/^\|([^|]*)\|/gm)].map(([, cell = '']) => cell)
  return new Set(
    rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)),
  )
}

function unnamed(all: readonly Manifest[], document: string): string[] {
  const [, overrides = ''] = /^## Overrides\n([^]*?)(?=^## )/m.exec(document) ?? []
  const sections = [namedIn(document.replace(overrides, '')), namedIn(overrides)] as const
  return thirdParty(all).filter((entry) => {
    const [name = '', kind] = entry.split(' ')
    return !sections[kind === '(override)' ? 1 : 0].has(name)
  })
}

it('each dependency and override of every package.json has a reason in docs/dependencies.md', () => {
  const all = manifests()
  expect(all.length).toBeGreaterThan(8)
  expect(unnamed(all, read('docs/dependencies.md'))).toEqual([])
})

it('what has a package of its own is not installed with the workspaces, too', () => {
  const namesOf = (file: string) => {
    const { dependencies, devDependencies } = JSON.parse(read(file)) as Manifest
    return [...namesIn(dependencies), ...namesIn(devDependencies)]
  }
  const own = new Set(SIDE_PACKAGES.flatMap((folder) => namesOf(`${folder}/package.json`)))
  expect(own.size).toBeGreaterThan(10)
  // Small; the clients of test/judges bring other versions than those that are tried.
  expect(namesOf('package.json').filter((name) => own.has(name))).toEqual(['jose', 'yaml'])
})

it('finds what is named in the wrong section, in a sentence or not at all', () => {
  const all: Manifest[] = [
    { name: 'own', dependencies: { a: '1', b: '1' }, overrides: { c: { d: '1' }, a: '1' } },
    { name: 'other', dependencies: { own: '1' }, peerDependencies: { e: '1' } },
  ]
  const document = 'We use `e`.\n\n| `a` 1 | x |\n\n## Overrides\n\n| `b`, `c` | x |\n\n## End\n'
  expect(unnamed(all, document)).toEqual([
    'a (override)',
    'b (dependency)',
    'd (override)',
    'e (dependency)',
  ])
})
