// Measures the tasks, writes the table of docs/many-tools.md, and prints how long the gateway worked. Run: npm run tasks
import { readFile, writeFile } from 'node:fs/promises'
import { format } from 'prettier'
import { buildEverything } from '../support/build.ts'
import { measureTasks, TASKS } from './measure.ts'
import { DOCS, figuresTable } from './table.ts'
import { WAYS } from './ways.ts'

await buildEverything()
const measured = await measureTasks()
const rows = figuresTable(measured)
const names = [...TASKS.map(({ name }) => name), 'all ten']
const lines = (await readFile(DOCS, 'utf8')).split('\n').map((line) => {
  const row = names.findIndex((name) => line.startsWith(`| ${name} `))
  return rows[row] ?? line
})
await writeFile(DOCS, await format(lines.join('\n'), { parser: 'markdown', printWidth: 120 }))
console.log(rows.join('\n'))
for (const way of WAYS) {
  const times = measured.filter((each) => each.way === way).map(({ ms }) => ms)
  console.log(way, Math.round(times.reduce((sum, ms) => sum + ms, 0)), 'ms')
}
