import { expect, it } from 'vitest'
import { nearestName } from './nearest-name.ts'
import { processorMs } from '../../../test/support/processor-time.ts'

const TOOLS = ['greet', 'generate_image', 'get_job', 'echo']

it.each([
  ['gret', 'greet'],
  ['GREET', 'greet'],
  ['egreet', 'greet'],
  ['generate-image', 'generate_image'],
  ['ehco', 'echo'],
])('"%s" means %s', (text, name) => {
  expect(nearestName(text, TOOLS)).toBe(name)
})

it.each(['weather', '', 'x', 'new'])('"%s" is another word', (text) => {
  expect(nearestName(text, TOOLS)).toBeUndefined()
})

it('does not spend seconds on the long names of a server', () => {
  const names = Array.from({ length: 1000 }, (_, index) => 'a'.repeat(50_000 + index))
  const started = processorMs()
  expect(nearestName('a'.repeat(50_000), names)).toBeUndefined()
  expect(processorMs() - started).toBeLessThan(1000)
})
