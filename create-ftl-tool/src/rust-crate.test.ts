import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rustDependency } from './rust-crate.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ftl-rust-'))
  for (const [name, crate] of [
    ['ours', 'ftl-component'],
    ['other', 'ftl-sdk'],
  ] as const) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'Cargo.toml'), `[package]\nname = "${crate}"\n`)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const dependency = (given: string) =>
  rustDependency(
    { application: join(folder, 'app'), component: join(folder, 'app/tools/x') },
    given,
  )

describe('the dependency on our crate', () => {
  it.each([
    ['0.1', '"0.1"'],
    ['https://git.example/ftl.git', '{ git = "https://git.example/ftl.git" }'],
    ['ssh://git@git.example/ftl', '{ git = "ssh://git@git.example/ftl" }'],
  ])('%s is %s', (given, value) => {
    expect(dependency(given)).toBe(value)
  })

  it('is a folder, from the folder of the component', () => {
    expect(dependency(join(folder, 'ours'))).toBe('{ path = "../../../ours" }')
  })

  it.each(['other', 'nowhere'])('is refused where it is another crate or none: %s', (name) => {
    expect(() => dependency(join(folder, name))).toThrow(
      `${join(folder, name)} does not contain the crate ftl-component`,
    )
  })
})
