// Skills of two servers behind the gateway, which are gateways themselves: the official client checks each file against the lists.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConformanceApplication,
  startConformanceApplication,
} from '../conformance/application.ts'
import { as, keys } from '../../gateway/src/testing/api-keys.ts'
import { CANNOT_RUN, type RemoteApplication, startRemote } from './application.ts'

describe.skipIf(CANNOT_RUN)('skills behind remote', () => {
  let upstream: ConformanceApplication
  let application: RemoteApplication
  let client: Client
  let skills: SkillsClient

  beforeAll(async () => {
    upstream = await startConformanceApplication(undefined)
    const url = `${upstream.url}/mcp`
    const rules = [
      { effect: 'deny', principals: ['key:anna'], resources: ['skill://two/weekly-report/*'] },
      { effect: 'allow', principals: ['key:anna'], resources: ['*'] },
    ]
    application = await startRemote(
      { one: { url }, two: { url, protocol: '2025-11-25' } },
      {
        api_keys: keys('anna'),
        policy: JSON.stringify({ rules }),
        discovery_timeout_ms: '20000',
      },
    )
    client = new Client({ name: 'test', version: '1' })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${application.url}/mcp`), {
        requestInit: { headers: as('anna') },
      }),
    )
    skills = new SkillsClient(client)
  })
  afterAll(async () => {
    await client.close()
    await application.close()
    await upstream.close()
  })

  it('are listed under the names of their servers, as far as the policy permits', async () => {
    expect(skills.supported).toBe(true)
    const { skills: list } = await skills.list()
    expect(list.map(({ uri }) => uri)).toEqual([
      'skill://one/refunds/SKILL.md',
      'skill://one/weekly-report/SKILL.md',
      'skill://two/refunds/SKILL.md',
    ])
    expect(list[0]?.frontmatter).toMatchObject({ name: 'refunds', license: 'Apache-2.0' })
  })

  it('have files that the client reads and verifies', async () => {
    for (const server of ['one', 'two']) {
      const folder = `skill://${server}/refunds`
      const { skill } = await skills.get(`${folder}/SKILL.md`)
      expect(skill.resources.length).toBeGreaterThan(2)
      for (const { uri } of skill.resources === 'dynamic' ? [] : skill.resources) {
        const file = await skills.read(skill, uri.slice(folder.length + 1))
        expect(file).toMatchObject({ verified: true })
      }
    }
  })

  it('have folders', async () => {
    const { resources } = await skills.readDirectory('skill://one/refunds')
    expect(resources.map(({ uri }) => uri)).toContain('skill://one/refunds/SKILL.md')
  })

  it.each([
    'skill://two/weekly-report/SKILL.md',
    'skill://weekly-report/SKILL.md',
    'remote://two/skill://weekly-report/SKILL.md',
    'remote://two/skill://weekly-report/%53KILL.md',
  ])('cannot be read at %s', async (uri) => {
    await expect(client.readResource({ uri })).rejects.toThrow(/./)
  })
})
