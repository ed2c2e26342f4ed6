/**
 * Makes what a user installs: every workspace as a tarball of JavaScript and declarations.
 *
 *     node scripts/pack.ts [--out dist/packages]
 */
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { packAll } from './packages/pack-all.ts'
import { nextLines } from './packages/next-lines.ts'

const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist/packages' } } })
// To standard error: the lines of standard output are for other programs, too.
const packed = await packAll(values.out, (step) => console.error(`… ${step}`))
for (const { name, tarball, packedBytes, unpackedBytes } of packed) {
  console.log(
    `${name.padEnd(18)} ${megabytes(packedBytes)} → ${megabytes(unpackedBytes)}  ${tarball}`,
  )
}
const creator = packed.find(({ name }) => name === 'create-ftl-tool')
if (creator) {
  console.log(
    '\nNothing is published yet. Create an application from these files, in any folder:\n',
  )
  console.log(nextLines(creator.tarball, dirname(creator.tarball)).join('\n'))
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(2)} MB`.padStart(9)
}
