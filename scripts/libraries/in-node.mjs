// Runs uses in Node, and prints what each returns. A process of its own: some libraries change globals, or never end.
import { pathToFileURL } from 'node:url'

const [server, ...files] = process.argv.slice(2)
const outcomes = {}
for (const file of files) {
  try {
    const { default: use } = await import(pathToFileURL(file).href)
    outcomes[file] = { value: JSON.stringify(await within(use({ server }))) }
  } catch (error) {
    outcomes[file] = { error: String(error) }
  }
}
process.stdout.write(`\n${JSON.stringify(outcomes)}`, () => process.exit())

function within(promise) {
  const late = new Promise((_, reject) => {
    setTimeout(() => reject(new Error('no result within 20 s')), 20_000)
  })
  return Promise.race([promise, late])
}
