// `npm ci && npm start` of the README, on a machine that sets NODE_ENV for its programs.
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ftl-install-'))
  const names = ['package.json', 'package-lock.json', '.npmrc', '{*,components/*}/package.json']
  for (const name of globSync(names, { cwd: REPOSITORY, exclude: ['node_modules/**'] })) {
    cpSync(join(REPOSITORY, name), join(folder, name), { recursive: true })
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

function countFor(environment: string): number {
  const said = execFileSync('npm', ['ci', '--dry-run', '--no-audit'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: environment },
    encoding: 'utf8',
  })
  return Number(/added (\d+) packages/.exec(said)?.[1])
}

it(
  'npm ci installs what builds and serves a clone, whatever NODE_ENV is',
  { timeout: 60_000 },
  () => {
    const count = countFor('development')
    expect(count).toBeGreaterThan(100)
    expect(countFor('production')).toBe(count)
  },
)
