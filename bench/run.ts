// Every measurement, one after the other. Run: npm run bench.
import { build } from './application.ts'
import { calls } from './calls.ts'
import { internalRequests } from './internal-requests.ts'
import { jobs } from './jobs.ts'
import { lists } from './lists.ts'

await build()
await calls()
await internalRequests()
await lists()
await jobs()
