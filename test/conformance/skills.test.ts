// The official client reads the skills of real components, and checks each file against what the list says of it.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXTERNAL_URL } from '../support/application.ts'
import { type ConformanceApplication, startConformanceApplication } from './application.ts'

const FOLDER = join(import.meta.dirname, 'app/skills/refunds')

let application: ConformanceApplication
beforeAll(async () => (application = await startConformanceApplication(EXTERNAL_URL)))
afterAll(() => application.close())

describe.each([
  ['2026-07-28', 'auto'],
  ['2025-11-25', 'legacy'],
] as const)('a client of %s', (_, mode) => {
  let client: Client
  let skills: SkillsClient
  beforeAll(async () => {
    client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${application.url}/mcp`)))
    skills = new SkillsClient(client)
  })
  afterAll(() => client.close())

  it('lists the skills with their front matter', async () => {
    expect(skills.supported).toBe(true)
    const { skills: list } = await skills.list()
    expect(list.map(({ uri }) => uri)).toEqual([
      'skill://refunds/SKILL.md',
      'skill://weekly-report/SKILL.md',
    ])
    expect(list[0]?.frontmatter).toMatchObject({
      license: 'Apache-2.0',
      metadata: { version: '1.2', reviewed: 'true' },
    })
  })

  it('reads and verifies every file of a skill', async () => {
    const { skill } = await skills.get('skill://refunds/SKILL.md')
    const names = (await readdir(FOLDER, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    expect(skill.resources).toHaveLength(names.length)
    for (const path of names) {
      const ref = path.slice(FOLDER.length + 1)
      const file = await skills.read(skill, ref)
      expect(file).toMatchObject({ verified: true })
      expect(Buffer.from(file.bytes)).toEqual(await readFile(path))
    }
    const main = await skills.read(skill)
    expect(main.frontmatter).toEqual(skill.frontmatter)
  })

  it('reads folders', async () => {
    const { resources } = await skills.readDirectory('skill://refunds/templates')
    expect(resources.map(({ name, mimeType }) => [name, mimeType])).toEqual([
      ['eu', 'inode/directory'],
      ['logo.png', 'image/png'],
      ['reply.txt', 'text/plain'],
    ])
  })
})
