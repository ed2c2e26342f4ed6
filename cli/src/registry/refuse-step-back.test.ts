import { expect, it } from 'vitest'
import { refuseStepBack } from './refuse-step-back.ts'
import { compareVersions } from './versions.ts'

// The order of the examples of semver.org, 11.4.3 and 11.4.4.
const ORDER = [
  ...['0.9.0', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2'],
  ...['1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '1.2.0', '1.10.0', '2.0.0'],
]

it('versions have the order of semver', () => {
  for (const [at, version] of ORDER.entries()) {
    for (const [other, text] of ORDER.entries())
      expect(Math.sign(compareVersions(version, text) ?? NaN)).toBe(Math.sign(at - other))
  }
})

it('what is no version has no order', () => {
  for (const text of ['', '1', '1.0', 'latest', '1.0.0.0', 'v1.0.0'])
    expect(compareVersions(text, '1.0.0')).toBeUndefined()
})

it('a step back is refused, and told where it is allowed', () => {
  const [before, next] = [
    { version: '2.0.0', digest: 'a' },
    { version: '2.0.0-rc.1', digest: 'b' },
  ]
  expect(() => refuseStepBack('weather', before, next, false)).toThrow('--allow-older')
  expect(refuseStepBack('weather', before, next, true)).toContain('goes back from version 2.0.0')
  expect(refuseStepBack('weather', next, before, false)).toBeUndefined()
  expect(refuseStepBack('weather', undefined, next, false)).toBeUndefined()
})
