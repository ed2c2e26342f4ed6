import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSkill } from './read-skill.ts'
import { skillFolders } from './skill-folders.ts'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'ftl-skill-'))))
afterEach(() => rm(folder, { recursive: true, force: true }))

const HEAD = '---\nname: refunds\ndescription: How to refund\n---\n'

async function write(files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

const read = () => readSkill(join(folder, 'refunds'))

test('all files are read, byte for byte, and hidden ones are left out', async () => {
  const png = Uint8Array.from([0x89, 0x50, 0, 255])
  await write({
    'refunds/SKILL.md': HEAD,
    'refunds/forms/é.txt': '\ufeffa\r\n',
    'refunds/logo.png': png,
    'refunds/.git/config': 'x',
    'refunds/.DS_Store': 'x',
  })
  const { skill, problems } = await read()
  expect(problems).toEqual([])
  expect(skill?.frontmatter).toEqual({ name: 'refunds', description: 'How to refund' })
  const digestOf = (bytes: string | Uint8Array) =>
    `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  expect(skill?.files).toEqual([
    {
      path: 'SKILL.md',
      digest: digestOf(HEAD),
      size: HEAD.length,
      mimeType: 'text/markdown',
      text: HEAD,
    },
    {
      path: 'forms/é.txt',
      digest: digestOf('\ufeffa\r\n'),
      size: 6,
      mimeType: 'text/plain',
      text: '\ufeffa\r\n',
    },
    {
      path: 'logo.png',
      digest: digestOf(png),
      size: 4,
      mimeType: 'image/png',
      blob: Buffer.from(png).toString('base64'),
    },
  ])
})

test('a mistake in SKILL.md has its file and line', async () => {
  await write({ 'refunds/SKILL.md': '---\nname: Refunds\ndescription: x\n---\n' })
  const { skill, problems } = await read()
  expect(skill).toBeUndefined()
  expect(problems).toEqual([expect.stringMatching(/refunds\/SKILL\.md:2: name must be/)])
})

test.each([
  ['file', '../secret.txt'],
  ['folder', '..'],
])('a link to a %s is refused', async (_, target) => {
  await write({ 'refunds/SKILL.md': HEAD, 'secret.txt': 'x' })
  await symlink(target, join(folder, 'refunds/link'))
  const { skill, problems } = await read()
  expect(skill).toBeUndefined()
  expect(problems).toEqual([expect.stringContaining('refunds/link: a skill must have only files')])
})

test('SKILL.md itself must not be a link', async () => {
  await write({ 'refunds/a.txt': '', 'SKILL.md': HEAD })
  await symlink('../SKILL.md', join(folder, 'refunds/SKILL.md'))
  expect((await read()).problems).toEqual([expect.stringContaining('replace the link')])
})

test('a folder that is too large is refused', async () => {
  await write({ 'refunds/SKILL.md': HEAD, 'refunds/data.bin': new Uint8Array(2 * 1024 * 1024) })
  expect((await read()).problems).toEqual([
    expect.stringContaining('refunds/data.bin: the files of a skill must have at most 2 MiB'),
  ])
})

test('a skill has at most 512 files', async () => {
  const files = Array.from({ length: 512 }, (_, index) => [`refunds/a/${index}.txt`, ''])
  await write({ 'refunds/SKILL.md': HEAD, ...(Object.fromEntries(files) as object) })
  expect((await read()).problems).toEqual([expect.stringContaining('at most 512 files')])
})

test('a folder without SKILL.md is refused', async () => {
  await write({ 'refunds/skill.md': HEAD })
  expect((await read()).problems).toEqual([expect.stringContaining('SKILL.md: there is no such')])
})

test('skills names folders of skills, or folders with some', async () => {
  await write({ 'a/one/SKILL.md': '', 'a/two/SKILL.md': '', 'a/three/x.md': '', 'b/SKILL.md': '' })
  const found = skillFolders(['a', 'b'], folder, '[x]')
  expect(found).toEqual(['a/one', 'a/two', 'b'].map((path) => join(folder, path)))
  expect(skillFolders(true, folder, '[x]')).toEqual([])
})

test('two folders with the same name are refused, and hidden folders are left out', async () => {
  await write({ 'a/one/SKILL.md': '', 'b/one/SKILL.md': '', 'a/.two/SKILL.md': '' })
  expect(skillFolders(['a'], folder, '[x]')).toEqual([join(folder, 'a/one')])
  expect(() => skillFolders(['a', 'b'], folder, '[x]')).toThrow(
    '[x] skills: a/one and b/one have the same name: remove one',
  )
  expect(() => skillFolders(['a', 'a/one'], folder, '[x]')).toThrow('a/one is named twice')
})

test('front matter that clients do not read is refused', async () => {
  await write({ 'refunds/SKILL.md': HEAD.replace('How', '&a How') })
  expect((await read()).problems).toEqual([
    expect.stringContaining(
      'refunds/SKILL.md: clients of MCP do not read its front matter: line 3',
    ),
  ])
})

test.each([
  [['missing'], 'there is no folder missing'],
  [['a/three'], 'a/three has no SKILL.md'],
  [['..'], '.. must be in the folder of spin.toml'],
  [['link'], 'link must be in the folder of spin.toml'],
  [[], 'skills must be a list of folders'],
  ['a', 'skills must be a list of folders'],
  [[1], 'skills must be a list of folders'],
  [false, 'skills must be a list of folders'],
])('skills = %j is refused', async (key, words) => {
  await write({ 'a/three/x.md': '' })
  await symlink(tmpdir(), join(folder, 'link'))
  expect(() => skillFolders(key, folder, '[component.x.tool.ftl]')).toThrow(words)
})
