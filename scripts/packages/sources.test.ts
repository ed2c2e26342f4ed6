import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { REPOSITORY } from './manifest.ts'
import { COMMAND_LIBRARIES } from './sources.ts'

const SOURCES = join(REPOSITORY, 'cli/src')
const texts = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((path) => /(?<!\.test)\.ts$/.test(path))
  .map((path) => readFileSync(join(SOURCES, path), 'utf8'))

const LIBRARIES = Object.keys(COMMAND_LIBRARIES)

describe('the package of the command', () => {
  it('contains each part of a library that the command imports', () => {
    const isPartOf = (name: string) =>
      LIBRARIES.some((library) => name === library || name.startsWith(`${library}/`))
    const imported = texts
      .flatMap((text) => [...text.matchAll(/(?:^import (?!type ).*from |import\()'([^']+)'/gm)])
      .map(([, name = '']) => name)
    expect(imported.filter(isPartOf).filter((name) => !LIBRARIES.includes(name))).toEqual([])
    expect(imported).toEqual(expect.arrayContaining(['yaml', '@sigstore/verify']))
  })
})
