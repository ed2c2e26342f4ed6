import { memoryPlatform } from 'ftl-platform/memory'
import { expect, it } from 'vitest'
import { createSkill, type SkillFile } from '../index.ts'
import { toComponent } from '../serve/component.ts'

const digest = `sha256:${'0'.repeat(64)}`

const file = (path: string, more: Partial<SkillFile> = {}): SkillFile => ({
  path,
  digest,
  size: 4,
  mimeType: 'text/markdown',
  text: `# ${path}`,
  ...more,
})

const frontmatter = { name: 'refunds', description: 'How to refund', license: 'MIT' }

const refunds = createSkill({
  frontmatter,
  files: [
    file('SKILL.md'),
    file('forms/de fr.md'),
    file('logo.png', { mimeType: 'image/png', text: undefined, blob: 'AAE=' }),
  ],
})

const lone = createSkill({
  frontmatter: { name: 'lone', description: 'x' },
  files: [file('SKILL.md')],
})

async function get(path: string) {
  const component = toComponent({ skills: [refunds], skill: lone }, 'office')
  const response = await component.fetch(
    new Request(`http://office.spin.internal${path}`),
    memoryPlatform(),
  )
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const reading = (uri: string) => get(`/resources?uri=${encodeURIComponent(uri)}`)

it('a component offers SKILL.md as a resource with all files, and a template for the others', async () => {
  const listed = { digest, size: 4, mimeType: 'text/markdown' }
  const files = [
    { uri: 'skill://refunds/SKILL.md', ...listed },
    { uri: 'skill://refunds/forms/de%20fr.md', ...listed },
    { uri: 'skill://refunds/logo.png', ...listed, mimeType: 'image/png' },
  ]
  const { body } = await get('/')
  expect(body).toMatchObject({
    resources: [
      {
        uri: 'skill://refunds/SKILL.md',
        name: 'refunds',
        description: 'How to refund',
        mimeType: 'text/markdown',
        size: 4,
        _meta: { 'ftl/skill': { frontmatter, files } },
      },
      { uri: 'skill://lone/SKILL.md', _meta: { 'ftl/skill': { files: [{ size: 4 }] } } },
    ],
    resourceTemplates: [{ uriTemplate: 'skill://refunds/{+file}', _meta: { 'ftl/skill': files } }],
  })
  expect(body['resourceTemplates']).toHaveLength(1)
})

it('its files are read by their addresses, and nothing else is', async () => {
  expect((await reading('skill://refunds/SKILL.md')).body).toEqual({
    contents: [{ uri: 'skill://refunds/SKILL.md', mimeType: 'text/markdown', text: '# SKILL.md' }],
  })
  const uri = 'skill://refunds/forms/de%20fr.md'
  expect((await reading(uri)).body).toMatchObject({ contents: [{ uri, text: '# forms/de fr.md' }] })
  expect((await reading('skill://refunds/logo.png')).body).toMatchObject({
    contents: [{ mimeType: 'image/png', blob: 'AAE=' }],
  })
  for (const other of ['forms', 'forms/../SKILL.md', '../lone/SKILL.md', 'constructor', '%']) {
    expect((await reading(`skill://refunds/${other}`)).status).toBe(404)
  }
})

it('a skill without SKILL.md is refused', () => {
  expect(() => createSkill({ frontmatter, files: [file('other.md')] })).toThrow(
    'skill "refunds": it has no file SKILL.md',
  )
})

it('a component that answers all requests itself cannot be given skills', () => {
  const main = { fetch: () => new Response() }
  expect(() => toComponent({ skills: [refunds], default: main }, 'own')).toThrow(
    'it must serve its skills itself',
  )
})
