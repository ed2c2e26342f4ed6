/** `console.table`: rows of objects or arrays, with a border. */
import {
  SafeMap,
  getOwnPropertyDescriptor,
  join,
  mapForEach,
  mapHas,
  mapSet,
  objectKeys,
  padEnd,
  repeat,
} from './primordials.js'
import { isObject } from './web-idl.js'
import { inspect } from './inspect.js'
import { entriesOf, kindOf } from './clone-kinds.js'

const MAX_ROWS = 1000

function rowsOf(data) {
  const kind = kindOf(data)
  const rows = []
  if (kind === 'Map' || kind === 'Set') {
    const list = entriesOf(data, kind)
    const step = kind === 'Map' ? 2 : 1
    for (let i = 0; i < list.length && rows.length < MAX_ROWS; i += step) {
      rows[rows.length] = [
        `${i / step}`,
        kind === 'Map' ? { Key: list[i], Values: list[i + 1] } : list[i],
      ]
    }
    return ['(iteration index)', rows]
  }
  const keys = objectKeys(data)
  for (let i = 0; i < keys.length && i < MAX_ROWS; i++)
    rows[i] = [keys[i], getOwnPropertyDescriptor(data, keys[i])?.value]
  return ['(index)', rows]
}

const cell = (value) => inspect(value, { depth: 0 })

export function tableText(data, chosen) {
  const [heading, rows] = rowsOf(data)
  const columns = new SafeMap()
  const cells = []
  let hasValues = false
  for (let i = 0; i < rows.length; i++) {
    const value = rows[i][1]
    cells[i] = new SafeMap()
    if (!isObject(value)) {
      hasValues = true
      continue
    }
    const keys = chosen ?? objectKeys(value)
    for (let j = 0; j < keys.length; j++) {
      const descriptor = getOwnPropertyDescriptor(value, keys[j])
      mapSet(columns, keys[j], true)
      if (descriptor !== undefined) mapSet(cells[i], keys[j], cell(descriptor.value))
    }
  }
  const grid = [[heading], ...rows.map(([key]) => [key])]
  mapForEach(columns, (_, column) => {
    grid[0].push(`${column}`)
    cells.forEach((row, i) => grid[i + 1].push(mapHas(row, column) ? row.get(column) : ''))
  })
  if (hasValues) {
    grid[0].push('Values')
    rows.forEach(([, value], i) => grid[i + 1].push(isObject(value) ? '' : cell(value)))
  }
  return draw(grid)
}

function draw(grid) {
  const widths = grid[0].map((_, column) =>
    grid.reduce((most, row) => Math.max(most, row[column].length), 0),
  )
  const rule = (left, middle, right) =>
    left +
    join(
      widths.map((width) => repeat('─', width + 2)),
      middle,
    ) +
    right
  const line = (row) =>
    `│${join(
      row.map((text, i) => ` ${padEnd(text, widths[i])} `),
      '│',
    )}│`
  const [head, ...body] = grid.map(line)
  return join([rule('┌', '┬', '┐'), head, rule('├', '┼', '┤'), ...body, rule('└', '┴', '┘')], '\n')
}
