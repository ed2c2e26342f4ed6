// Ten tasks with a scripted model: by calls of a few or of all tools, by search, and by programs. The figures are in the docs.
import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Measured, measureTasks, TASKS } from './measure.ts'
import { DOCS, figuresTable } from './table.ts'
import type { Way } from './ways.ts'

let measured: Measured[]
beforeAll(async () => {
  measured = await measureTasks()
})

describe.each(TASKS.map((task) => [task.name, task] as const))('%s', (_, task) => {
  it('has the right answer and the right changes in each way that fits into the window', () => {
    for (const { way, answer, changes } of measured.filter((each) => each.task === task)) {
      if (answer === undefined) continue
      expect({ way, answer, changes }).toEqual({
        way,
        answer: task.truth(),
        changes: (task.changes?.() ?? []).sort(),
      })
    }
  })
})

it('the figures in docs/many-tools.md are those that were measured', async () => {
  const cells = (row: string) => row.split('|').map((cell) => cell.trim())
  const written = (await readFile(DOCS, 'utf8')).split('\n').map(cells)
  for (const row of figuresTable(measured)) expect(written).toContainEqual(cells(row))
})

it('a program costs more than a call for a task of one step, and less for a long one', () => {
  const tokens = (name: string, way: Way) => {
    const found = measured.find((each) => each.task.name === name && each.way === way)
    return (found?.read ?? NaN) + (found?.written ?? NaN)
  }
  expect(tokens('weather now', 'code')).toBeGreaterThan(tokens('weather now', 'few'))
  expect(tokens('worst debtor of a region', 'code') * 5).toBeLessThan(
    tokens('worst debtor of a region', 'few'),
  )
})

it('only the export of sales is too long for the window, and only by calls', () => {
  const failed = measured.filter(({ answer }) => answer === undefined)
  expect(failed.map(({ task, way }) => `${task.name}: ${way}`)).toEqual(
    ['few', 'all', 'search'].map((way) => `best-selling product: ${way}`),
  )
})
