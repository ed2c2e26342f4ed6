// The official suite against the gateway on real components, at every revision it scores.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { EXTERNAL_URL } from '../support/application.ts'
import { type ConformanceApplication, startConformanceApplication } from './application.ts'
import { report } from './report.ts'
import { REVISIONS, runRevision } from './revisions.ts'

let application: ConformanceApplication
beforeAll(async () => (application = await startConformanceApplication(EXTERNAL_URL)))
afterAll(() => application.close())

it.each(Object.keys(REVISIONS))(
  'the gateway conforms to %s but for what the baseline names',
  async (revision) => {
    const verdict = await runRevision({ url: application.url, revision })
    expect(verdict.problems, report(revision, verdict)).toEqual([])
  },
  180_000,
)
