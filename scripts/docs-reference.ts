/**
 * Prints the tables of docs/cli.md and docs/variables.md from the definitions in the code.
 *
 *     npm run docs:reference
 */
import { readFile, writeFile } from 'node:fs/promises'
import { printedPages } from './docs/printed-pages.ts'

for (const { file, text } of await printedPages()) {
  if (text === (await readFile(file, 'utf8'))) continue
  await writeFile(file, text)
  console.log(`${file} was changed`)
}
