// Every measurement, one after the other, ratios first. Run: npm run bench -- --help.
import { writeFile } from 'node:fs/promises'
import { build } from './application.ts'
import { calls } from './calls.ts'
import { client } from './client.ts'
import { dev } from './dev.ts'
import { growth } from './growth/growth.ts'
import { headToBody } from './head-to-body.ts'
import { hostCalls } from './host-calls.ts'
import { internalRequests } from './internal-requests.ts'
import { jobs } from './jobs.ts'
import { lists } from './lists.ts'
import { type BenchOptions, readOptions } from './options.ts'
import { page } from './page.ts'
import { ratios } from './ratios.ts'
import { Report } from './report.ts'
import { start } from './start.ts'
import { workers } from './workers.ts'
import { workflows } from './workflows.ts'

const SECTIONS: Record<string, (report: Report, options: BenchOptions) => Promise<void>> = {
  ratios,
  workers,
  'host-calls': hostCalls,
  'head-to-body': headToBody,
  dev,
  start,
  calls,
  client,
  growth,
  'internal-requests': internalRequests,
  lists,
  workflows,
  jobs,
  page,
}

const { sections, ...options } = readOptions(Object.keys(SECTIONS))
const report = new Report()
await build()
for (const name of sections) await SECTIONS[name]?.(report, options)
if (options.json !== undefined) await writeFile(options.json, report.json())
if (options.markdown !== undefined) await writeFile(options.markdown, report.markdown())
