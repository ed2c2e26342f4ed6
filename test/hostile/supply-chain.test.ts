// What we build and publish with is changed by somebody else.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { engineIn } from '../../cli/src/build/engine-file.ts'
import { SIDE_PACKAGES } from '../../scripts/side-packages.ts'
import { REPOSITORY } from '../support/command.ts'
import { attack } from './support/attack.ts'

interface Workflow {
  jobs: Record<string, { needs?: string | string[]; steps: { uses?: string; run?: string }[] }>
}

const WORKFLOWS = join(REPOSITORY, '.github/workflows')

function workflows(): [name: string, workflow: Workflow][] {
  return readdirSync(WORKFLOWS).map((name) => [
    name,
    parse(readFileSync(join(WORKFLOWS, name), 'utf8')) as Workflow,
  ])
}

attack('the tag of an action moves to other code', async () => {
  const used = workflows().flatMap(([, { jobs }]) =>
    Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses = [] }) => uses)),
  )
  expect(used.length).toBeGreaterThan(0)
  for (const each of used) expect(each).toMatch(/^[\w-]+\/[\w.-]+@[0-9a-f]{40}$/)
  return 'each action is named by its commit'
})

attack('an engine is published that is not built from its sources', async () => {
  const release = workflows().find(([name]) => name === 'release.yml')?.[1]
  const checking = Object.entries(release?.jobs ?? {}).find(([, { steps }]) =>
    steps.some(({ run }) => run === 'npm run engine -- --check'),
  )
  const publishing = Object.entries(release?.jobs ?? {}).filter(([, { steps }]) =>
    steps.some(({ run }) => run === 'npm run release'),
  )
  expect(publishing.length).toBe(1)
  for (const [, { needs = [] }] of publishing) expect([needs].flat()).toContain(checking?.[0])
  return 'the release waits for npm run engine -- --check'
})

attack('engine.wasm is changed after it was built', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ftl-engine-'))
  try {
    for (const name of ['engine.wasm', 'engine.json'])
      cpSync(join(REPOSITORY, 'engine', name), join(folder, name))
    const file = join(folder, 'engine.wasm')
    const bytes = readFileSync(file)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    writeFileSync(file, bytes)
    await expect(engineIn(pathToFileURL(`${folder}/`))).rejects.toThrow(
      'the engine was changed or is damaged',
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return 'its SHA-256 is compared at each build'
})

interface Lock {
  packages: Record<string, { version: string; dev?: boolean }>
}

/** Packages with known advisories that a tool of ours brings along; docs/dependencies.md says why each of them may stay. */
const OLD = /^(xlsx@|vite@[1-5]\.|esbuild@0\.(1\d|2[0-4])\.)/

attack('a package with known advisories comes along unnoticed', async () => {
  const documentation = readFileSync(join(REPOSITORY, 'docs/dependencies.md'), 'utf8')
  const [, section = ''] = documentation.split('## Known advisories\n')
  const [text = ''] = section.split('\n## ')
  let found = 0
  // What is in another lock file than that of the workspaces is no dependency of what we publish.
  for (const folder of ['', ...SIDE_PACKAGES]) {
    const lock = readFileSync(join(REPOSITORY, folder, 'package-lock.json'), 'utf8')
    for (const [path, { version, dev }] of Object.entries((JSON.parse(lock) as Lock).packages)) {
      const name = path.split('node_modules/').at(-1)
      if (!OLD.test(`${name}@${version}`)) continue
      found++
      expect(text).toContain(`\`${name}\` ${version}`)
      if (folder === '') expect(dev, `${path} must not be published`).toBe(true)
    }
  }
  // As many as the table has rows.
  expect(found).toBe(text.match(/^\| `/gm)?.length)
  return 'docs/dependencies.md names each, and none is published'
})
