// Gateways side by side: the same echo tool behind each, measured in turns. Run: npm run peers -- --help.
import { writeFile } from 'node:fs/promises'
import { Report } from '../report.ts'
import { cleanUp } from './children.ts'
import { compare } from './compare.ts'
import { readPeersOptions } from './options.ts'
import { absent } from './servers/absent.ts'
import { contextforge } from './servers/contextforge.ts'
import { fastmcp } from './servers/fastmcp.ts'
import { ours, oursRemote } from './servers/ours.ts'
import { sdk } from './servers/sdk.ts'
import { spin } from './servers/spin.ts'
import { markdown } from './table.ts'

const peers = (spinUrl?: string) => [
  ...[sdk, ours, oursRemote, spin(spinUrl), fastmcp, contextforge],
  ...absent,
]

const read = readPeersOptions(
  process.argv.slice(2),
  peers().map(({ name }) => name),
)
if ('text' in read) {
  if (read.failed) console.error(read.text)
  else console.log(read.text)
  process.exit(read.failed ? 1 : 0)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => process.exit(signal === 'SIGINT' ? 130 : 143))
}
process.on('exit', cleanUp)

const { options } = read
if (process.platform !== 'linux') {
  console.error('npm run peers needs Linux: it reads memory and processor time from /proc')
  process.exit(1)
}
const chosen = peers(options.spinUrl).filter(({ name }) => options.only.includes(name))
const { results, omitted } = await compare(chosen, options.quick, (line) => console.error(line))
const { machine } = new Report()
console.log(
  `${Object.entries(machine)
    .map(([name, value]) => `- ${name}: ${value}`)
    .join('\n')}\n\n${markdown(results, omitted)}`,
)
if (options.json !== undefined) {
  await writeFile(options.json, `${JSON.stringify({ machine, results, omitted }, undefined, 2)}\n`)
}
process.exit(results.length > 0 ? 0 : 1)
