// From saving a source to the first right answer of `ftl dev`. Run: npm run bench -- --section dev.
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { install } from '../scripts/side-packages.ts'
import { judgeFile } from '../test/judges/judge.ts'
import { type DevApplication, devFolder, put, startDev } from '../test/e2e/dev-application.ts'
import type { BenchOptions } from './options.ts'
import type { Report, Table } from './report.ts'
import { median, milliseconds, p95 } from './statistics.ts'

/** Between two saves: an author reads the answer first. */
const PAUSE_MS = 500

/** Asking all the time would take the time that building needs. */
const POLL_MS = 40

const zodTool = (answer: string) => `import { z } from 'zod'
import { createTool } from 'ftl-sdk'

export const tool = createTool({
  metadata: { name: 'word', description: 'Says a word' },
  inputSchema: z.object({ loud: z.boolean().optional() }),
  handler: () => '${answer}',
})
`

/** Its bundle has some 500 KB. */
const largeTool = (answer: string) =>
  `import OpenAI from 'openai'
import markdown from 'markdown-it'
${zodTool(answer).replace('handler: () =>', 'handler: () => [OpenAI, markdown].length > 2 ? "" :')}`

export async function dev(report: Report, { quick }: BenchOptions): Promise<void> {
  const table = report.table(
    'From a save to the first right answer of ftl dev',
    '   median',
    '      p95',
    ' longest',
    'saves',
    'tool',
  )
  await install('test/judges')
  const saves = quick ? 5 : 20
  await measure(table, { saves, source: zodTool, name: 'with Zod' })
  await measure(table, { saves, source: largeTool, name: 'with Zod, openai and markdown-it' })
}

interface Measured {
  saves: number
  source: (answer: string) => string
  name: string
}

async function measure(table: Table, { saves, source, name }: Measured): Promise<void> {
  const folder = await devFolder()
  await put(folder, 'word/main.ts', source('before'))
  // Beside the source, because the packages of the repository are not these.
  await mkdir(join(folder, 'word/node_modules'))
  for (const each of ['openai', 'markdown-it']) {
    const link = join(folder, 'word/node_modules', each)
    await symlink(judgeFile(each), link, 'junction')
  }
  const served = await startDev(folder)
  try {
    await served.command.printed('watching for changes')
    // The first one also finds caches cold.
    await timed(served, source, 'first')
    const times: number[] = []
    for (let save = 0; save < saves; save++) {
      await sleep(PAUSE_MS)
      times.push(await timed(served, source, `save ${save}`))
    }
    const [, kilobytes = '?'] = /(\d+) KB of JavaScript/.exec(served.command.output()) ?? []
    table.row(
      ...[median(times), p95(times), Math.max(...times)].map((time) => `${milliseconds(time)} ms`),
      String(saves),
      `${name}: ${kilobytes} KB of JavaScript`,
    )
  } finally {
    await served.close()
  }
}

async function timed(
  served: DevApplication,
  source: (answer: string) => string,
  answer: string,
): Promise<number> {
  const started = performance.now()
  await served.put('word/main.ts', source(answer))
  while ((await served.call('word')) !== answer) {
    if (performance.now() - started > 60_000) throw new Error(served.command.output())
    await sleep(POLL_MS)
  }
  return performance.now() - started
}
