import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { NotSaved, prepareFolder, safeName, savedFiles } from './saved-files.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'ftl-saved-'))
const bytes = (text: string) => new TextEncoder().encode(text)
const read = (path: string) => readFileSync(path, 'utf8')

it.each([
  ['../../etc/passwd', '_.._etc_passwd'],
  ['..', 'file'],
  ['', 'file'],
  ['.bashrc', 'bashrc'],
  ['a\\b:c.png', 'a_b_c.png'],
  ['NUL.png', '_NUL.png'],
  ['name\n\x1b[2J.png', 'name___2J.png'],
  ['trailing...', 'trailing'],
])('%j is saved as %s', (name, expected) => {
  expect(safeName(name)).toBe(expected)
})

it('a long name stays one that a file system takes, with its extension', () => {
  expect(safeName(`${'x'.repeat(5000)}.png`)).toBe(`${'x'.repeat(100)}.png`)
  expect(safeName(`a.${'y'.repeat(5000)}`).length).toBeLessThan(130)
})

it('a file of the same name is kept, unless it may be replaced', () => {
  const folder = newFolder()
  const files = savedFiles({ folder })
  expect(files.write('a.png', bytes('1'))).toBe(join(folder, 'a.png'))
  expect(files.write('a.png', bytes('2'))).toBe(join(folder, 'a_2.png'))
  expect(read(join(folder, 'a.png'))).toBe('1')
  const replacing = savedFiles({ folder, force: true })
  expect(replacing.write('a.png', bytes('3'))).toBe(join(folder, 'a.png'))
  expect(read(join(folder, 'a.png'))).toBe('3')
})

it.each([false, true])('nothing is written through a link in the folder (force: %s)', (force) => {
  const folder = newFolder()
  const secret = join(newFolder(), 'secret')
  writeFileSync(secret, 'mine')
  symlinkSync(secret, join(folder, 'a.png'))
  savedFiles({ folder, force }).write('a.png', bytes('theirs'))
  expect(read(secret)).toBe('mine')
})

it('of a file that is too large or breaks off, nothing is kept, and the older one stays', async () => {
  const folder = newFolder()
  const files = savedFiles({ folder, force: true, maxBytes: 10 })
  files.write('a.bin', bytes('older'))
  const endless = async function* () {
    for (;;) yield new Uint8Array(4)
  }
  await expect(files.stream('a.bin', endless())).rejects.toThrow(
    new NotSaved('it is larger than 10 bytes'),
  )
  const broken = async function* () {
    yield new Uint8Array(4)
    throw new NotSaved('it broke off')
  }
  await expect(files.stream('a.bin', broken())).rejects.toThrow('it broke off')
  expect(readdirSync(folder)).toEqual(['a.bin'])
  expect(read(join(folder, 'a.bin'))).toBe('older')
})

it('the folder of --save is made before the tool runs, with the folders above it', () => {
  const folder = join(newFolder(), 'new', 'deep')
  prepareFolder(folder)
  prepareFolder(folder)
  expect(readdirSync(folder)).toEqual([])
})

it.runIf(process.platform === 'linux')(
  'a folder that the system does not make is an error, and does not hang',
  () => {
    expect(() => prepareFolder('/proc/ftl-none/deep')).toThrow(
      '--save /proc/ftl-none/deep: the folder cannot be made or written (ENOENT). Choose another folder.',
    )
    expect(() => savedFiles({ folder: '/proc/ftl-none' }).write('a.png', bytes('1'))).toThrow(
      new NotSaved('the folder cannot be made or written (ENOENT)'),
    )
  },
)

it('a file, a folder in a file and no name at all are refused with the reason', () => {
  const file = join(newFolder(), 'file')
  writeFileSync(file, '')
  const reason = 'the path names a file, or leads through one'
  expect(() => prepareFolder(file)).toThrow(`--save ${file}: ${reason}`)
  expect(() => prepareFolder(join(file, 'deep'))).toThrow(reason)
  expect(() => prepareFolder('')).toThrow('--save "": the folder cannot be made')
})
