import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseManifest } from '../manifest/parse.ts'
import { ExpressionError, parseTemplate } from '../manifest/template.ts'
import { VariableError } from './variable-error.ts'
import { MissingVariablesError, Variables } from './variables.ts'

const folder = mkdtempSync(join(tmpdir(), 'ftl-variables-'))
const manifest = parseManifest(
  `spin_manifest_version = 2
[application]
name = "app"
[variables]
one = { default = "1" }
two = { required = true }
[component.c]
source = "c.wasm"
variables = { both = "{{one}}-{{ two }}", plain = "text" }
`,
  join(folder, 'spin.toml'),
)

test('an override beats the environment, which beats .env, which beats the default', () => {
  writeFileSync(join(folder, '.env'), 'SPIN_VARIABLE_ONE=dotenv\nSPIN_VARIABLE_TWO="dot two"\n')
  const get = (options: ConstructorParameters<typeof Variables>[1]) =>
    new Variables(manifest, options).get('c', 'both')
  expect(get({ folders: [], env: { SPIN_VARIABLE_TWO: '2' } })).toBe('1-2')
  expect(get({})).toBe('dotenv-dot two')
  expect(get({ env: { SPIN_VARIABLE_ONE: 'env' } })).toBe('env-dot two')
  const env = { SPIN_VARIABLE_ONE: 'env' }
  expect(get({ env, overrides: { one: 'over', two: '' } })).toBe('over-')
})

test('a value of the environment loses the quotes of a .env that a container was started with', () => {
  const env = { SPIN_VARIABLE_ONE: `'[{"a":"b"}]'`, SPIN_VARIABLE_TWO: `"it's"` }
  const variables = new Variables(manifest, { folders: [], env })
  expect(variables.get('c', 'both')).toBe(`[{"a":"b"}]-"it's"`)
})

test('a change of the environment is seen by the next call', () => {
  const env = { SPIN_VARIABLE_TWO: 'a' }
  const variables = new Variables(manifest, { folders: [], env })
  expect(variables.get('c', 'both')).toBe('1-a')
  env.SPIN_VARIABLE_TWO = 'b'
  expect(variables.get('c', 'both')).toBe('1-b')
})

test('a required variable without a value, or an unknown override, stops the start', () => {
  expect(() => new Variables(manifest, { folders: [] })).toThrow(MissingVariablesError)
  expect(() => new Variables(manifest, { folders: [] })).toThrow('"two" (SPIN_VARIABLE_TWO)')
  expect(() => new Variables(manifest, { overrides: { three: '3' } })).toThrow(
    'no variable "three"',
  )
})

test('a component gets its own names only', () => {
  const variables = new Variables(manifest, { folders: [], overrides: { two: '2' } })
  const code = (name: string) => {
    try {
      return variables.get('c', name)
    } catch (error) {
      return error instanceof VariableError ? error.code : error
    }
  }
  expect(code('plain')).toBe('text')
  expect(code('one')).toBe('undefined')
  expect(code('No')).toBe('invalid-name')
})

test('expressions are names in double braces', () => {
  expect(parseTemplate('a{{ b }}{c}')).toEqual([{ text: 'a' }, { variable: 'b' }, { text: '{c}' }])
  expect(() => parseTemplate('{{ a b }}')).toThrow(ExpressionError)
  expect(() => parseTemplate('{{ a')).toThrow(ExpressionError)
})
