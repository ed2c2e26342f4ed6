import { expect, it } from 'vitest'
import type { StoreLimits } from '../kv/store-limits.ts'
import { parseManifest } from '../manifest/parse.ts'
import { auditedSettings } from './call-settings.ts'
import { hostVariables, saysStop } from './host-variables.ts'

function variablesOf(
  lines: string,
  devBuild?: string,
  devVariables?: Record<string, string>,
  compares?: boolean,
  limits?: StoreLimits,
): Record<string, string> {
  const text = `spin_manifest_version = 2
[application]
name = "a"
[component.echo]
source = "echo.wasm"
${lines}`
  const component = parseManifest(text, '/app/spin.toml').components.get('echo')
  if (!component) throw new Error('no component')
  return Object.fromEntries(
    hostVariables(component, devBuild, devVariables, compares, undefined, limits),
  )
}

it('a component can read that forwarded users are checked, and which store is its own', () => {
  const checked = { host_checks_forwarded: 'true', host_conditional_writes: 'true' }
  expect(variablesOf('')).toEqual(checked)
  expect(variablesOf('key_value_stores = ["default"]')).toEqual({
    ...checked,
    own_store: 'echo.default',
  })
})

it('a component does not write on a condition where the platform cannot', () => {
  expect(variablesOf('', undefined, undefined, false)).toEqual({ host_checks_forwarded: 'true' })
})

it.each([
  [{ maxStoreBytes: 1e6, maxStoreKeys: 1000 }, '1000000'],
  [{ maxStoreBytes: 1e9, maxStoreKeys: 1000 }, '4096000'],
])('a gateway can read how much it may store: %o', (limits, bytes) => {
  const variables = variablesOf('', undefined, undefined, true, limits)
  expect(variables['host_store_bytes']).toBe(bytes)
})

it('variables of the manifest stay as they are', () => {
  const names = ['host_checks_forwarded', 'host_conditional_writes', 'own_store']
  const variables = ['[component.echo.variables]', ...names.map((name) => `${name} = "x"`)].join(
    '\n',
  )
  expect(variablesOf(`key_value_stores = ["default"]\n${variables}`)).toEqual({})
})

it('a component can read that the host stops, unless it has a variable of that name', () => {
  const stops = new Int32Array(1)
  const has = { variables: { host_stops: 'mine' } }
  expect(saysStop({ variables: {} }, 'host_stops', stops)).toBe(false)
  stops[0] = 1
  expect(saysStop({ variables: {} }, 'host_stops', stops)).toBe(true)
  expect(saysStop({ variables: {} }, 'own_store', stops)).toBe(false)
  expect(saysStop(has, 'host_stops', stops)).toBe(false)
})

it('in development a component can read which build is served', () => {
  expect(variablesOf('', 'build-1')).toEqual({
    host_checks_forwarded: 'true',
    host_conditional_writes: 'true',
    dev_build: 'build-1',
  })
})

it('in development a component can read what it alone is given, unless it declares it', () => {
  const given = { dev_places: 'text with {{ braces }}', host_checks_forwarded: 'false' }
  expect(variablesOf('', 'build-1', given)).toEqual({
    dev_places: given.dev_places,
    host_checks_forwarded: 'true',
    host_conditional_writes: 'true',
    dev_build: 'build-1',
  })
  const declared = '[component.echo.variables]\ndev_places = "own"'
  expect(variablesOf(declared, 'build-1', given)).not.toHaveProperty('dev_places')
})

it('a gateway writes audit lines if the host keeps a log, whatever its manifest says', () => {
  expect(auditedSettings(() => 'audit=off; jobs_per_day=5', 'host')).toBe(
    'audit=off; jobs_per_day=5; audit=host',
  )
  const missing = () => {
    throw new Error('no such variable')
  }
  expect(auditedSettings(missing, 'on')).toBe('audit=on')
})
