// The published form of the schemas that real servers have: it has the same valid arguments, in the opinion of two validators.
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { portableSchema } from '../../gateway/src/catalog/portable-schema.ts'
import { type Schema, verdicts } from '../../gateway/src/testing/drawn-schemas.ts'
import { nearValues } from '../../gateway/src/testing/near-values.ts'
import { REPOSITORY } from '../support/command.ts'
import '../support/property-seed.ts'

/** Its program, the folder in which npm has installed it, and arguments. `FTL_TEST_SERVERS` names more of them, as JSON. */
type Server = [program: string, folder: string, ...args: string[]]

const SERVERS: readonly Server[] = [
  ['mcp-server-everything', REPOSITORY],
  ['mcp-server-memory', REPOSITORY],
  ['mcp-server-filesystem', REPOSITORY, '.'],
  ...(JSON.parse(process.env['FTL_TEST_SERVERS'] ?? '[]') as Server[]),
]

async function schemasOf([program, folder, ...args]: Server): Promise<[string, Schema][]> {
  const command = join(folder, 'node_modules/.bin', program)
  const client = new Client({ name: 'real-schemas', version: '1' })
  await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }))
  const { tools } = await client.listTools()
  await client.close()
  return tools.map(({ name, inputSchema }) => [`${program} ${name}`, { ...inputSchema }])
}

it.each(SERVERS)(
  'of the tools of %s',
  async (...server) => {
    const counted = { schemas: 0, valid: 0, wrong: 0 }
    for (const [name, schema] of await schemasOf(server)) {
      const published = portableSchema(schema)
      counted.schemas++
      fc.assert(
        fc.property(fc.array(nearValues(schema), { minLength: 4, maxLength: 4 }), (values) => {
          const after = verdicts(published, values)
          verdicts(schema, values).forEach((expected, index) => {
            if (expected.includes(undefined)) return
            counted[expected[0] ? 'valid' : 'wrong']++
            expect(after[index], `${name} ${JSON.stringify(values[index])}`).toEqual(expected)
          })
        }),
        { numRuns: 10 },
      )
    }
    console.log(server[0], JSON.stringify(counted))
    // A comparison of wrong values alone would hold nothing.
    expect(counted.valid).toBeGreaterThan(counted.schemas)
    expect(counted.wrong).toBeGreaterThan(0)
  },
  120_000,
)
