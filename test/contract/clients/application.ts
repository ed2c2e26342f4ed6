/** The application the official clients connect to: the fixtures of the conformance suite, whose texts are known. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import {
  type ConformanceApplication,
  startConformanceApplication,
} from '../../conformance/application.ts'
import { EXTERNAL_URL } from '../../support/application.ts'
import { rpc } from '../../support/rpc.ts'

/** Starts it before the tests of a file; they are skipped when an external application is a different one. */
export function useFixtures(): { readonly url: string } {
  let application: ConformanceApplication | undefined
  let usable = true
  beforeAll(async () => {
    application = await startConformanceApplication(EXTERNAL_URL)
    if (EXTERNAL_URL !== undefined) usable = await hasFixtures(application.url)
  })
  beforeEach((context) => context.skip(!usable, 'this application has other tools'))
  afterAll(() => application?.close())
  return {
    get url() {
      if (application === undefined) throw new Error('the application is not started yet')
      return application.url
    },
  }
}

async function hasFixtures(url: string): Promise<boolean> {
  const { result } = await rpc(url, 'tools/list')
  const tools = (result?.['tools'] ?? []) as { name: string }[]
  return tools.some(({ name }) => name === 'test_simple_text')
}
