import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { COMMANDS } from './all-commands.ts'
import { createProgram } from '../main.ts'

const FTL = fileURLToPath(new URL('../../bin/ftl.mjs', import.meta.url))

/** Prints the address of each module that is loaded. */
const HOOK = `
import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, next) {
    process.stderr.write(url + '\\n')
    return next(url, context)
  },
})`

function loadedBy(...args: string[]): string {
  const hook = `data:text/javascript,${encodeURIComponent(HOOK)}`
  const options = { encoding: 'utf8', maxBuffer: 1 << 26 } as const
  return spawnSync(process.execPath, ['--import', hook, FTL, ...args], options).stderr
}

it.each(['call', 'tools', 'login'])(
  'ftl %s does not load the host, the builder and other commands',
  (name) => {
    const loaded = loadedBy(name, '--help')
    expect(loaded).toContain(`/commands/${name}.ts`)
    // That module imports nothing.
    const others = loaded.replaceAll(/.*\/host\/src\/manifest\/nearest-name\.ts$/gm, '')
    expect(others).not.toMatch(/\/host\/src\/|\/cli\/src\/build\/index|esbuild|\/commands\/up\.ts/)
  },
)

it.each(['up', 'dev', 'audit'])('ftl %s does not load the builder before it builds', (name) => {
  expect(loadedBy(name, '--help')).not.toMatch(/\/cli\/src\/build\/index|wizer|\/jco/)
})

it('the version alone loads no command', () => {
  for (const option of ['--version', '-V']) {
    const loaded = loadedBy(option)
    expect(loaded).toContain('/cli/src/main.ts')
    expect(loaded).not.toMatch(/\/commands\/(?!all-commands|help)/)
  }
})

it('a command that is loaded by its name has this name', async () => {
  for (const [name, load] of COMMANDS) expect((await load()).name()).toBe(name)
})

it('an unknown name is looked up among all commands', async () => {
  const { commands } = await createProgram('constructor')
  expect(commands.length).toBeGreaterThan(COMMANDS.size)
})
