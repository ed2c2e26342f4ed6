// The reference names everything that the code reads or reports: commands, keys, variables and errors.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { printedPages } from '../../scripts/docs/printed-pages.ts'
import { REPOSITORY } from '../support/command.ts'
import {
  environmentVariables,
  errorCodes,
  failureKinds,
  manifestKeys,
  rpcCodes,
  runtimeConfigKeys,
} from './named.ts'

const read = (page: string) => readFileSync(join(REPOSITORY, 'docs', page), 'utf8')

/** The text of a page's section, by its heading. */
function section(page: string, heading: string): string {
  const [, rest = ''] = page.split(`\n## ${heading}\n`)
  return rest.split('\n## ')[0] ?? ''
}

/** Whether a code span of the text has the name, alone or as a part. */
function names(text: string, name: string): boolean {
  const part = new RegExp(`(?<![\\w-])${name.replace(/[.*]/g, '\\$&')}(?![\\w-])`)
  return [...text.matchAll(/`([^`\n]+)`/g)].some(([, code = '']) => part.test(code))
}

describe.each((await printedPages()).map((page) => [relative(REPOSITORY, page.file), page]))(
  '%s',
  (_, { file, text }) => {
    it('has the tables that the definitions in the code make', () => {
      expect(readFileSync(file, 'utf8'), 'run: npm run docs:reference').toBe(text)
    })
  },
)

describe('docs/spin-toml.md', () => {
  const page = read('spin-toml.md')

  it.each(manifestKeys())('names the key %s of a manifest', (key) => {
    expect(names(page, key)).toBe(true)
  })

  it.each(runtimeConfigKeys())('names the key %s of a runtime configuration', (key) => {
    expect(names(section(page, 'Runtime configuration'), key)).toBe(true)
  })
})

describe('docs/variables.md', () => {
  it.each(environmentVariables())('names the environment variable %s', (name) => {
    expect(names(read('variables.md'), name)).toBe(true)
  })
})

describe('docs/errors.md', () => {
  const page = read('errors.md')
  let codes: string[]
  beforeAll(() => {
    codes = errorCodes()
  })

  it('has a row for every error code of plain HTTP', () => {
    expect(codes).toContain('tool_not_found')
    expect(codes.filter((code) => !names(section(page, 'Plain HTTP error codes'), code))).toEqual(
      [],
    )
  })

  it.each(rpcCodes())('has a row for the JSON-RPC code %s', (code) => {
    expect(section(page, 'JSON-RPC error codes')).toMatch(new RegExp(`^\\| ${code} +\\|`, 'm'))
  })

  it.each(failureKinds())('has a row for the failure kind %s', (kind) => {
    expect(names(section(page, 'Why a job failed'), kind)).toBe(true)
  })
})
