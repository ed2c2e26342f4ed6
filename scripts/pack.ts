/**
 * Makes what a user installs: every workspace as a tarball of JavaScript and declarations.
 *
 *     node scripts/pack.ts [--out dist/packages]
 */
import { parseArgs } from 'node:util'
import { packAll } from './packages/pack-all.ts'

const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist/packages' } } })
for (const { name, tarball, packedBytes, unpackedBytes } of await packAll(values.out)) {
  console.log(
    `${name.padEnd(16)} ${megabytes(packedBytes)} → ${megabytes(unpackedBytes)}  ${tarball}`,
  )
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(2)} MB`.padStart(9)
}
