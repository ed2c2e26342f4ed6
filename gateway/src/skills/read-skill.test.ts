import fc from 'fast-check'
import { SKILL_KEY } from 'ftl-contract'
import { expect, test } from 'vitest'
import { childrenOf } from './directory.ts'
import { readSkill } from './read-skill.ts'

const entry = (name: string, manifest: unknown) => ({
  name,
  component: 'x',
  description: { uri: name, name: 'x', _meta: { [SKILL_KEY]: manifest } },
  callAt: [],
  logging: false,
})

const segment = fc.stringMatching(/^[a-z0-9%._-]{1,6}$/)
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))

test('no manifest of a stranger throws, and what is read is whole', () => {
  const file = fc.oneof(
    fc.record({
      uri: path.map((each) => `skill://odd/${each}`),
      digest: fc.constant(`sha256:${'0'.repeat(64)}`),
      size: fc.oneof(fc.nat(), fc.anything()),
    }),
    fc.anything(),
  )
  const manifest = fc.oneof(
    fc.record({
      frontmatter: fc.oneof(fc.constant({ name: 'odd', description: 'x' }), fc.anything()),
      files: fc.oneof(
        fc
          .array(file, { maxLength: 4 })
          .map((files) => [
            { uri: 'skill://odd/SKILL.md', digest: `sha256:${'0'.repeat(64)}`, size: 1 },
            ...files,
          ]),
        fc.anything(),
      ),
    }),
    fc.anything(),
  )
  let read = 0
  fc.assert(
    fc.property(manifest, (each) => {
      const skill = readSkill(entry('skill://odd/SKILL.md', each))
      if (!skill || skill.files === 'dynamic') return
      read++
      const uris = skill.files.map(({ uri }) => uri)
      expect(uris).toContain('skill://odd/SKILL.md')
      expect(new Set(uris).size).toBe(uris.length)
      for (const uri of uris) expect(uri.startsWith('skill://odd/')).toBe(true)
    }),
    { numRuns: 1000 },
  )
  expect(read).toBeGreaterThan(10)
})

test('each file is found by going down from the folder of its skill', () => {
  fc.assert(
    fc.property(fc.uniqueArray(path, { minLength: 1, maxLength: 12 }), (paths) => {
      // A file system has no file that is a folder, too.
      const files = paths
        .filter((one) => !paths.some((other) => other.startsWith(`${one}/`)))
        .map((each) => ({ uri: `skill://odd/${each}`, digest: '', size: 0 }))
      const skill = {
        uri: 'skill://odd/SKILL.md',
        folder: 'skill://odd',
        frontmatter: { name: 'odd', description: 'x' },
        files,
      }
      const found: string[] = []
      const down = (folder: string): void => {
        for (const { uri, mimeType } of childrenOf([skill], folder) ?? []) {
          if (mimeType === 'inode/directory') down(uri)
          else found.push(uri)
        }
      }
      down('skill://odd')
      expect(found.sort()).toEqual(files.map(({ uri }) => uri).sort())
    }),
  )
})
