// Builds components that cannot be built, and prints the errors their author gets. Run by node in the author's folder,
// because the test runner's own module loader cannot find out where a package is installed.
import { join, resolve } from 'node:path'
import { buildComponents } from '../../cli/src/build/index.ts'
import { describeFailure } from '../../cli/src/terminal/failure.ts'
import { REPOSITORY } from '../support/command.ts'
import type { Words } from './workshop.ts'

const ids = process.argv.slice(2)
const words: Words = {}
for (const id of ids) {
  const warnings: string[] = []
  const output = resolve(`dist/${id}.wasm`)
  const target = { id, entry: resolve(`src/${id}.ts`), output }
  words[id] = { warnings }
  try {
    await buildComponents([target], {
      cacheFolder: join(REPOSITORY, '.ftl', 'cache'),
      onEvent: ({ warning }) => warning !== undefined && warnings.push(warning),
    })
  } catch (error) {
    words[id].failure = describeFailure(error, false)
  }
}
// On a separate line, because a component may print something while it is built.
console.log(`\n${JSON.stringify(words)}`)
