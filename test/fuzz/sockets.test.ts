import { afterAll, beforeAll, describe, it } from 'vitest'
import {
  type ConformanceApplication,
  startConformanceApplication,
} from '../conformance/application.ts'
import type { FuzzRequest } from './requests.ts'
import { fuzz } from './run.ts'

/** What the application offers in place of what the tables ask for. */
const OFFERED: Readonly<Record<string, string>> = {
  echo: 'test_simple_text',
  slow: 'test_tool_with_progress',
  fails: 'test_error_handling',
  asks: 'test_input_required_result_elicitation',
  greet: 'test_prompt_with_arguments',
  'test://static': 'test://static-text',
  'test://items/7': 'test://template/7/data',
}

const NAMES = new RegExp(`"(${Object.keys(OFFERED).join('|')})"`, 'g')

function offered({ headers, body }: FuzzRequest): FuzzRequest {
  const { 'mcp-name': name, ...rest } = headers
  return {
    headers: name === undefined ? rest : { ...rest, 'mcp-name': OFFERED[name] ?? name },
    body: body.replace(NAMES, (_, known: string) => `"${OFFERED[known]}"`),
  }
}

describe('any request to the gateway as a component', () => {
  let application: ConformanceApplication

  beforeAll(async () => {
    application = await startConformanceApplication(process.env['FTL_TEST_URL'])
  })
  afterAll(() => application.close())

  it('is answered as the protocol wants', async () => {
    const send = (request: FuzzRequest) => {
      const { headers, body } = offered(request)
      // A body that is text would get a type of its own.
      return fetch(`${application.url}/mcp`, { method: 'POST', headers, body: Buffer.from(body) })
    }
    await fuzz({ send, runs: 400, withinMs: 5_000 })
  })
})
