// The first two minutes of somebody who has Node and npm and nothing of ours: from an empty folder, with the packages as
// they are published.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../support/command.ts'
import { packedPackages } from '../support/packed.ts'
import { type Background, UserShell } from './user-shell.ts'

const MINUTES = 5 * 60_000
/** Seconds of commands, without what a person thinks and types in between. */
const LIMIT = 120

let folder: string
let packages: string
let creator: string
const shell = new UserShell()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-new-user-'))
  const all = await packedPackages()
  packages = all.folder
  creator = all.packed.find(({ name }) => name === 'create-ftl-tool')?.tarball ?? ''
}, MINUTES)

afterAll(async () => {
  await shell.close()
  await rm(folder, { recursive: true, force: true })
})

describe('a new user', { timeout: MINUTES }, () => {
  let home: string
  let url: string
  let dev: Background

  const edit = async (file: string, from: string, to: string) => {
    const path = join(home, 'tools/greet/src', file)
    const text = await readFile(path, 'utf8')
    expect(text).toContain(from)
    await writeFile(path, text.replaceAll(from, to))
  }

  it('makes an application out of nothing', async () => {
    // What `npm create ftl-tool@latest greet` does, with the packages of this commit in place of the registry's.
    const create = ['exec', '--yes', `--package=${creator}`, '--', 'create-ftl-tool', 'greet']
    const printed = await shell.run('npm', [...create, '--yes', '--packages', packages], folder)
    expect(printed).toMatch(/Next:\n  cd greet\n  npm run dev/)
    home = join(folder, 'greet')
  })

  it('serves it while it is worked on, and calls the tool', async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    dev = shell.start('npm', ['run', 'dev', '--', '--listen', `127.0.0.1:${port}`], home)
    await shell.timed('npm run dev', () => dev.says('watching for changes'))
    expect(await call()).toBe('Hello, Ada!\n')
    expect(await ftl('tools', '--url', `${url}/mcp`)).toContain('greet  Greets somebody by name')
  })

  it('edits it, and the next call says so', async () => {
    await edit('main.ts', 'Hello, ', 'Good morning, ')
    await shell.timed('(the change is served)', () => dev.says('serving the change'))
    expect(await call()).toBe('Good morning, Ada!\n')
  })

  it('tests it in plain vitest, which the edit has not broken', async () => {
    expect(await shell.run('npm', ['test'], home)).toMatch(/2 passed/)
    await shell.run('npm', ['run', 'typecheck'], home)
  })

  it('builds it and tries the component against the contract', async () => {
    await dev.stop()
    expect(await shell.run('npm', ['run', 'build'], home)).toMatch(/of 2 components built/)
    expect(await ftl('test', 'greet')).toMatch(/0 failed/)
  })

  it('had to wait for less than two minutes in all', () => {
    console.log(`${shell.seconds.toFixed(1).padStart(6)} s  in all`)
    expect(shell.seconds).toBeLessThan(LIMIT)
  })

  function ftl(...args: string[]): Promise<string> {
    return shell.run('npx', ['--no-install', 'ftl', ...args], home)
  }

  function call(): Promise<string> {
    return ftl('call', 'greet', '--arg', 'name=Ada', '--url', `${url}/mcp`)
  }
})
