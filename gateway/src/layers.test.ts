// The design of ARCHITECTURE.md, "The gateway", as rules about which folder imports which.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { expect, test } from 'vitest'
import { FEATURES as SHIPPED } from './features.ts'

/** Folders with one feature each. Nothing but the list of features names them. */
const FEATURES = [
  ...[
    'activity',
    'approval',
    'audit',
    'auth',
    'card',
    'limits',
    'pinning',
    'policy',
    'runs',
    'search',
    'skills',
    'uploads',
  ],
]

/** Folders of the kernel. */
const KERNEL = ['access', 'adapters', 'calls', 'catalog', 'invoke', 'jobs', 'schema']

/** Files at the top that put the gateway together. The others there are the words that all folders share. */
const ASSEMBLY = ['extend.ts', 'features.ts', 'main.ts', 'shipped.ts']

const TOP = '.'

interface Import {
  from: string
  to: string
  /** `importing file -> imported file`. */
  text: string
  isType: boolean
}

const root = import.meta.dirname

function folderOf(file: string): string {
  const [folder, ...rest] = relative(root, file).split(sep)
  return rest.length > 0 ? (folder ?? TOP) : TOP
}

/** Imports from one file of the gateway of another, types included; those of tests are not. */
function importsOf(file: string, source: string): Import[] {
  return [...source.matchAll(/^(?:import|export)( type)?[^'"]*?from '(\.[^']+\.ts)'/gm)].map(
    ([, type, path = '']) => {
      const imported = resolve(dirname(file), path)
      return {
        from: folderOf(file),
        to: folderOf(imported),
        text: `${relative(root, file)} -> ${relative(root, imported)}`,
        isType: type !== undefined,
      }
    },
  )
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|^testing[/\\]/.test(name))
  .map((name) => resolve(root, name))

const imports = files.flatMap((file) => importsOf(file, readFileSync(file, 'utf8')))

const isAssembly = ({ text }: Import) => ASSEMBLY.some((file) => text.startsWith(`${file} ->`))

const textsOf = (found: readonly Import[]) => found.map(({ text }) => text)

test('imports are found, over several lines too', () => {
  const source = `import { a,\n  b } from '../calls/a.ts'\nexport type { C } from './c.ts'\n`
  expect(importsOf(resolve(root, 'invoke/x.ts'), source)).toMatchObject([
    { from: 'invoke', to: 'calls', isType: false },
    { from: 'invoke', to: 'invoke', isType: true },
  ])
  expect(imports.length).toBeGreaterThan(600)
})

test('the rules know every folder', () => {
  const folders = readdirSync(root, { withFileTypes: true }).filter((each) => each.isDirectory())
  expect(folders.map(({ name }) => name).sort()).toEqual([...FEATURES, ...KERNEL, 'testing'].sort())
})

test('the kernel imports no feature', () => {
  const found = imports.filter(
    (each) => !FEATURES.includes(each.from) && FEATURES.includes(each.to),
  )
  expect(textsOf(found.filter((each) => !isAssembly(each)))).toEqual([])
})

test('a feature imports the kernel and no other feature', () => {
  const found = imports.filter(({ from, to }) => from !== to && FEATURES.includes(from))
  expect(textsOf(found.filter(({ to }) => FEATURES.includes(to)))).toEqual([])
  expect(found.filter(({ text }) => ASSEMBLY.some((file) => text.endsWith(`-> ${file}`)))).toEqual(
    [],
  )
})

test('of each feature, the list of features imports one object', () => {
  const named = imports.filter((each) => isAssembly(each) && FEATURES.includes(each.to))
  expect(named.map(({ to }) => to).sort()).toEqual([...FEATURES].sort())
})

/**
 * By folder: settings of others that it reads, although they may be missing. A verdict on a token counts only as long as the
 * policy is the same, and a policy that nothing applies is refused.
 */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  auth: ['policy'],
  policy: ['forwardedUser'],
}

test('a setting of a feature is read in its own folder', () => {
  const owned = SHIPPED.flatMap(({ settings = {} }) => Object.keys(settings))
  expect(owned).toContain('authIssuers')
  const strange = files.flatMap((file) => {
    const folder = folderOf(file)
    // What is left has no words of comments, texts and addresses of modules.
    const code = readFileSync(file, 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*|'[^'\n]*'/g, '')
    return owned
      .filter((name) => RegExp(`\\b${name}\\b`).test(code) && ownerOf(name) !== folder)
      .filter((name) => !SHARED[folder]?.includes(name))
      .map((name) => `${relative(root, file)} reads ${name}`)
  })
  expect(strange).toEqual([])
})

/** The folder with the table that has the setting. */
function ownerOf(name: string): string | undefined {
  const has = (file: string) => {
    const code = readFileSync(file, 'utf8')
    return code.includes(': SettingVariables<') && RegExp(`\\b${name}: \\[`).test(code)
  }
  return files.filter(has).map(folderOf)[0]
}

test('no two folders import each other', () => {
  const pairs = imports.filter(({ from, to }) => from !== TOP && to !== TOP && from !== to)
  const isMutual = ({ from, to }: Import) =>
    pairs.some((other) => other.from === to && other.to === from)
  expect(textsOf(pairs.filter(isMutual))).toEqual([])
})

test('no modules import each other in a circle when they run', () => {
  const needs = new Map<string, string[]>()
  for (const { text } of imports.filter(({ isType }) => !isType)) {
    const [from = '', to = ''] = text.split(' -> ')
    needs.set(from, [...(needs.get(from) ?? []), to])
  }
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (path.includes(file) || done.has(file)) return
    for (const next of needs.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of needs.keys()) visit(file, [])
  expect(circles).toEqual([])
})
