// The reference names everything that the code reads or reports: commands, keys, variables and errors.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { REPOSITORY } from '../support/command.ts'
import {
  bridgeVariables,
  commands,
  environmentVariables,
  errorCodes,
  failureKinds,
  manifestKeys,
  optionsOf,
  rpcCodes,
  runtimeConfigKeys,
  variables,
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

describe('docs/cli.md', () => {
  const page = read('cli.md')
  const shared = {
    serving: section(page, 'Options for serving'),
    servers: section(page, 'Options for servers'),
    start: section(page, 'ftl start'),
  }

  it.each(commands().map((command) => [command.path, command] as const))(
    '%s: has a section with every option',
    (path, command) => {
      const own = section(page, path)
      expect(own).not.toBe('')
      let text = own
      if (own.includes('(#options-for-serving)')) text += shared.serving
      if (own.includes('(#options-for-servers)')) text += shared.servers
      if (own.includes('(#ftl-start)')) text += shared.start + shared.serving
      const missing = optionsOf(command).filter((option) => !names(text, option))
      expect(missing).toEqual([])
    },
  )

  it('names no option that its command lacks', () => {
    const known = new Set(commands().flatMap((command) => optionsOf(command)))
    const rows = [...page.matchAll(/^\| (`--?[^|]+) \|/gm)].map(([, cell = '']) => cell)
    const named = rows.flatMap((cell) => [...cell.matchAll(/--[a-z][\w-]*/g)].map(([flag]) => flag))
    const general = ['--debug', '--help', '--version']
    expect(named.filter((flag) => !known.has(flag) && !general.includes(flag))).toEqual([])
  })
})

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
  const page = read('variables.md')
  const all = [...variables(), ...environmentVariables(), ...bridgeVariables()]

  it.each(all)('has a row for %s', (name) => {
    expect(page).toMatch(new RegExp(`^\\| \`${name}\` +\\|`, 'm'))
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
