// Attacks on `ftl dev` by a page in the developer's browser, and by what comes into the folders that it watches.
import { execFileSync } from 'node:child_process'
import { copyFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { type DevApplication, manifest, put, startDev, toolSource } from '../e2e/dev-application.ts'
import { useKeptCache } from '../e2e/kept-cache.ts'
import { attack as bounded } from './support/attack.ts'
import { RawClient } from './support/raw-client.ts'

/** Each builds a component, which takes seconds on a busy machine. */
const PATIENCE_MS = 120_000
const SLOW = { timeout: 60_000, interval: 100 }

const attack = (name: string, run: () => Promise<string>) => bounded(name, run, PATIENCE_MS)

const MARK = 'opensesame'
const PUBLIC = manifest('word').replace('route = { private = true }', 'route = "/word/..."')

const cache = useKeptCache()
let folder: string
let dev: DevApplication
beforeAll(async () => {
  folder = await cache.folder()
  await put(folder, 'spin.toml', PUBLIC)
  dev = await startDev(folder)
  await dev.command.printed('watching for changes')
}, PATIENCE_MS)
afterAll(() => dev && cache.close(dev))

const says = (answer: string) => expect.poll(() => dev.call('word'), SLOW).toContain(answer)

async function get(host: string, ...head: string[]): Promise<string> {
  const client = new RawClient(Number(new URL(dev.url).port))
  client.send('GET /word HTTP/1.1', `Host: ${host}`, ...head, 'Connection: close', '', '')
  await client.end()
  return client.received
}

attack('read lines of sources by DNS rebinding, while a component does not build', async () => {
  await dev.put('word/main.ts', `const ${MARK} = ((`)
  await says(MARK)
  for (const host of ['evil.example', '127.0.0.1.nip.io', 'localhost.evil.example', 'x.internal']) {
    for (const accept of ['Accept: text/html', 'Accept: */*']) {
      const text = await get(host, accept)
      expect(text, host).toContain('says why in its terminal')
      expect(text, host).not.toContain(MARK)
    }
  }
  expect(await get('localhost')).toContain(MARK)
  return 'the reason is shown at names of this machine only'
})

attack('forge lines by the name of a file', async () => {
  const name = 'x\u001b[2J\n  serving the change.ts'
  await dev.put(`word/${name}`, 'export const a = ((')
  await dev.put('word/main.ts', `import ${JSON.stringify(`./${name}`)}\nexport default 1`)
  await dev.command.printed('\\x1b[2J\\x0a  serving the change.ts:1:')
  expect(dev.command.output()).not.toContain('\n  serving the change.ts')
  return 'shown as \\x0a'
})

attack('leave half of a source map beside a component', async () => {
  await writeFile(join(folder, 'dist/word.wasm.map'), '{bad')
  // Its map is written only by a build that gets that far.
  await dev.put('word/main.ts', 'const first = ((')
  await says('first')
  for (const map of ['null', '{"sources":1,"mappings":""}', '{"sources":[1],"mappings":"A"}']) {
    await writeFile(join(folder, 'dist/word.wasm.map'), map)
    await dev.put('word/main.ts', `const other${map.length} = ((`)
    await says(`other${map.length}`)
  }
  await dev.put('word/main.ts', toolSource('word', "'again'"))
  await says('again')
  return 'lines are not named'
})

attack('put a pipe, a device or a huge file in the place of spin.toml', async () => {
  const file = join(folder, 'spin.toml')
  for (const [make, says] of [
    [() => execFileSync('mkfifo', [file]), 'must be a file'],
    [() => execFileSync('ln', ['-s', '/dev/zero', file]), 'must be a file'],
    [() => execFileSync('truncate', ['-s', '1G', file]), 'must have at most'],
  ] as const) {
    await copyFile(file, `${file}.good`)
    const before = dev.command.output().length
    await rm(file)
    make()
    await expect.poll(() => dev.command.output().slice(before), SLOW).toContain(says)
    await rm(file)
    await copyFile(`${file}.good`, file)
    await expect
      .poll(() => dev.command.output().slice(before), SLOW)
      .toContain('serving the change')
  }
  await dev.put('word/main.ts', toolSource('word', "'after the pipe'"))
  await says('after the pipe')
  return 'it is not read, and the last working version stays in use'
})
