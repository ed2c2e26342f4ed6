import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { REPOSITORY } from './manifest.ts'
import { COMMAND_LIBRARIES } from './sources.ts'

const SOURCES = join(REPOSITORY, 'cli/src')
const texts = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((path) => /(?<!\.test)\.ts$/.test(path))
  .map((path) => readFileSync(join(SOURCES, path), 'utf8'))

/** Names of values that modules of the command import from a library when they load; without one, no command starts. */
function importedFrom(library: string): string[] {
  return texts
    .flatMap((text) => [...text.matchAll(/^import \{([^}]*)\} from '([^']+)'/gm)])
    .filter(([, , from]) => from === library)
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => name.split(' as ', 1)[0] ?? '')
}

describe('the package of the command', () => {
  it.each(Object.entries(COMMAND_LIBRARIES).filter(([, names]) => names !== '*'))(
    'contains of %s what the modules of the command import',
    (library, names) => {
      expect(names).toEqual(expect.arrayContaining(importedFrom(library)))
    },
  )

  it('has modules that import from such a library', () => {
    expect(importedFrom('yaml')).toContain('parseDocument')
  })
})
