import { expect, test } from 'vitest'
import { firstStartFinding, type Unbuilt, unbuiltFindings } from './components.ts'

test.each([
  // On a real Spin and two busy cores, these eight took 60 to 150 s.
  [8, 104_000_000, '8 components at its first start, which takes up to 150 s'],
  [1, 13_000_000, '1 component at its first start, which takes up to 20 s'],
  [1, 2_000, '1 component at its first start, which takes up to 10 s'],
])('%d components of %d bytes: how long the first start on Spin takes', (count, bytes, words) => {
  expect(firstStartFinding(count, bytes)).toMatchObject({
    level: 'ok',
    about: 'spin',
    message: expect.stringContaining(words) as string,
  })
})

const unbuilt = (id: string, isOurs = true): Unbuilt => ({
  id,
  source: `dist/${id}.wasm`,
  remedy: isOurs ? `ftl build ${id}` : 'cargo build',
  isOurs,
})

test('components that one command builds are one line', () => {
  const findings = unbuiltFindings([unbuilt('gateway'), unbuilt('greet'), unbuilt('rust', false)])
  expect(findings.map(({ about, message, remedy }) => [about, message, remedy])).toEqual([
    ['components', 'gateway, greet are not built', 'ftl build'],
    ['component rust', 'dist/rust.wasm is not there', 'cargo build'],
  ])
})

test('a single one has its own command', () => {
  const [finding] = unbuiltFindings([unbuilt('greet')])
  expect(finding).toMatchObject({ about: 'component greet', remedy: 'ftl build greet' })
})
