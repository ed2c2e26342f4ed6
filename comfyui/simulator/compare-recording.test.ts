import { expect, it } from 'vitest'
import { differences } from './compare-recording.ts'

const compare = (recorded: unknown, actual: unknown) =>
  differences(recorded, actual, { used: false })

it('has no opinion on the order of output nodes', () => {
  const entry = (outputs: string[]) => ({ x: { prompt: [1, 'id', {}, {}, outputs] } })
  expect(compare(entry(['5', '7']), entry(['7', '5']))).toEqual([])
  expect(compare(entry(['5', '7']), entry(['5', '8']))).toHaveLength(1)
  expect(compare({ x: { other: [1, 2] } }, { x: { other: [2, 1] } })).toHaveLength(2)
})

it('has no opinion on the folder of a file', () => {
  const message = (path: string) => ({ message: `cannot identify image file '${path}'\n` })
  expect(compare(message('/comfyui-data/input/bad.png'), message('/srv/x/bad.png'))).toEqual([])
  expect(compare(message('/srv/x/bad.png'), message('/srv/x/other.png'))).toHaveLength(1)
})

it('compares only the kind of what varies', () => {
  const varying = { used: false, varying: /^\$\.a(?:\[|$)/ }
  expect(differences({ a: ['x'], b: 1 }, { a: ['y', 'z'], b: 1 }, varying)).toEqual([])
  expect(differences({ a: null }, { a: 5 }, varying)).toEqual([])
  expect(differences({ a: 'x' }, { a: 5 }, varying)).toHaveLength(1)
  expect(differences({ a: ['x'] }, { a: [5] }, varying)).toHaveLength(1)
  expect(differences({ b: 'x' }, { b: 'y' }, varying)).toHaveLength(1)
})

it('has no opinion on the order of the problems of a prompt', () => {
  const answer = (...names: string[]) => ({
    error: { details: names.map((name) => `missing: ${name}`).join('\n') },
    errors: names.map((name) => ({ details: name, extra_info: { input_name: name } })),
  })
  expect(compare(answer('a', 'b'), answer('b', 'a'))).toEqual([])
  expect(compare(answer('a', 'b'), answer('b', 'c')).length).toBeGreaterThan(0)
})
