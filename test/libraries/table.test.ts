// The committed results of `npm run libraries` fit the list, the page of the guide, and what a build says of packages.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { remedyFor } from '../../cli/src/build/remedies.ts'
import { judge, type Outcome, type Setting } from '../../scripts/libraries/judge.ts'
import { hasOtherUse, readTopics, useFile } from '../../scripts/libraries/list.ts'
import { describeChanges, PAGE, pageOf, readResults } from '../../scripts/libraries/results.ts'
import { withTable } from '../../scripts/libraries/table.ts'
import { REPOSITORY } from '../support/command.ts'

const topics = readTopics()
const libraries = topics.flatMap((topic) => topic.libraries)
const results = await readResults()

it('there are a hundred libraries, each with a use and a result for its version', () => {
  expect(libraries).toHaveLength(100)
  expect(results.map(({ name, version }) => [name, version])).toEqual(
    libraries.map(({ name, version }) => [name, version]),
  )
  const uses = libraries.flatMap((library) => [
    useFile(library),
    ...(hasOtherUse(library) ? [useFile(library, true)] : []),
  ])
  const files = readdirSync(join(REPOSITORY, 'scripts/libraries/uses'))
  expect(files.sort()).toEqual(uses.sort())
})

it('the page has the table of these results: npm run libraries -- --table', async () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(await pageOf(topics, results))
})

it('a library that does not work has a reason and a remedy, which a build prints, too', () => {
  for (const { name, works } of results.filter((result) => !result.works)) {
    expect(remedyFor(name), `${name} ${works}`).toBeDefined()
  }
})

it('what works as it is has no remedy, and what works otherwise says how', () => {
  for (const { name } of results.filter(({ setting }) => setting === 'none')) {
    expect(remedyFor(name), name).toBeUndefined()
  }
  for (const { name } of results.filter(({ setting }) => setting === 'other')) {
    expect(libraries.find((library) => library.name === name)?.other, name).toBeTruthy()
  }
})

it('a package that a remedy names and the list has works', () => {
  const working = new Set(results.filter(({ works }) => works).map(({ name }) => name))
  for (const { name } of results.filter(({ works }) => !works)) {
    const named = [...(remedyFor(name)?.instead ?? '').matchAll(/"([^"]+)"/g)].map(
      ([, found]) => found,
    )
    for (const other of named.filter((each) =>
      libraries.some((library) => library.name === each),
    )) {
      expect([...working], `${name}: ${other}`).toContain(other)
    }
  }
})

describe('a verdict', () => {
  const library = { name: 'a', version: '1.0.0' }
  const of = (node: Outcome, tried: Partial<Record<Setting, Outcome & { size?: number }>>) =>
    judge(library, node, new Map(Object.entries(tried) as [Setting, Outcome][]), 1_000_000)

  it('is the first setting with the result of Node', () => {
    const tried = {
      none: { error: 'x' },
      other: { value: '1' },
      node_compat: { value: '2', size: 1_250_000 },
    }
    expect(of({ value: '2' }, tried)).toMatchObject({
      works: true,
      setting: 'node_compat',
      kilobytes: 250,
    })
    expect(of({ value: '1' }, tried)).toMatchObject({ works: true, setting: 'other' })
  })

  it('is no when both fail, even with the same error', () => {
    expect(of({ error: 'x' }, { none: { error: 'x' } })).toMatchObject({ works: false, error: 'x' })
    expect(of({ error: 'x' }, { none: { value: '1' } }).error).toBe('in Node: x')
  })

  it('is no when the result is another one', () => {
    expect(of({ value: '1' }, { none: { value: '2' } })).toMatchObject({
      works: false,
      error: 'another result than in Node: 2',
    })
  })

  it('names the cause of a failed build, without its place', () => {
    const error = 'component "l-a" could not be built:\nx/y.js:1:2: no such thing\n 1 | x'
    expect(of({ value: '1' }, { none: { error } }).error).toBe('no such thing')
  })

  it('is reported when it changes', () => {
    const works = of({ value: '1' }, { none: { value: '1' } })
    const fails = of({ value: '1' }, { none: { error: 'x' } })
    expect(describeChanges([works], [works])).toEqual([])
    expect(describeChanges([works], [fails])).toEqual([
      'a: 1.0.0 does not work, before: 1.0.0 works (none)',
    ])
  })
})

it('a page without the marks is refused', () => {
  expect(() => withTable('# npm libraries\n', topics, results)).toThrow('must have the lines')
})
