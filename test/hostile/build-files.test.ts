// A package in a project that is built: the build reads with the rights of the developer, and its errors are shown to clients.
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildEach } from '../../cli/src/build/index.ts'
import { attack } from './support/attack.ts'

const SECRET = 'opensesame'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-build-files-'))
  await put('secret', `${SECRET} in a line\n`)
  await put('secret.json', `{"token":"${SECRET}"}`)
  await put('broken.json', `{"token":${SECRET}}`)
  await put('secret.js', `export default '${SECRET}'`)
  await put('app/package.json', '{"name":"app"}')
  await put('app/.env.json', `{"token":"${SECRET}"}`)
  await put('app/tool/main.ts', TOOL)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const TOOL = `import value from 'evil'
export default { fetch: () => new Response(JSON.stringify(value)) }
`

async function put(path: string, text: string): Promise<void> {
  await mkdir(join(folder, path, '..'), { recursive: true })
  await writeFile(join(folder, path), text)
}

async function link(to: string, from: string): Promise<void> {
  await rm(from, { force: true })
  await symlink(to, from)
}

interface Evil {
  main: string
  more?: Record<string, unknown>
  tool?: string
}

/** @returns what went wrong; nothing if it was built. */
async function build({ main, more = {}, tool = TOOL }: Evil): Promise<string> {
  const evil = { name: 'evil', version: '1.0.0', main: 'index.js', ...more }
  await put('app/node_modules/evil/package.json', JSON.stringify(evil))
  await put('app/node_modules/evil/index.js', main)
  await put('app/tool/main.ts', tool)
  const output = join(folder, 'app/dist/tool.wasm')
  await rm(join(folder, 'app/dist'), { recursive: true, force: true })
  const target = { id: 'tool', entry: join(folder, 'app/tool/main.ts'), output }
  const { failed } = await buildEach([target], { cacheFolder: join(folder, 'app/.ftl/cache') })
  const built = await readFile(output).catch(() => Buffer.alloc(0))
  expect(built.includes(SECRET), main).toBe(false)
  const problems = failed.flatMap((error) => error.problems).join('\n')
  expect(problems, main).not.toContain(SECRET)
  return problems
}

const outside = /outside of the (package|project)|a device cannot be imported/

describe('a package', () => {
  attack('take along a file of the machine by a path', async () => {
    for (const main of [
      `import s from '${folder}/secret.json'; export default s`,
      `import s from '../../../secret.json'; export default s`,
      `import s from '../../.env.json'; export default s`,
      `import s from '../../../secret' with { type: 'text' }; export default s`,
      `import s from '../../../secret' with { type: 'bytes' }; export default s.length`,
      `import s from '../../../broken.json'; export default s`,
      `import s from './x/../../../../secret.js'; export default s`,
      `export default () => import('../../../secret.json')`,
      `module.exports = require('../../../secret.json')`,
    ]) {
      expect(await build({ main }), main).toMatch(outside)
    }
    return 'the build refuses it'
  })

  attack('take it along by fields of package.json, or by a link', async () => {
    await link(join(folder, 'secret.json'), join(folder, 'app/node_modules/evil/link.json'))
    for (const evil of [
      { main: '', more: { main: '../../../secret.json' } },
      { main: '', more: { main: '../../../broken.json' } },
      { main: '', more: { main: '../../../secret.js' } },
      { main: '', more: { main: '../../.env.json' } },
      {
        main: "export { default } from './b.js'",
        more: { browser: { './b.js': '../../../secret.json' } },
      },
      { main: "export { default } from './link.json'" },
    ]) {
      // JSON that cannot be read fails before; then nothing of it is shown.
      expect(await build(evil), JSON.stringify(evil)).toMatch(
        /outside of the|broken\.json:1:10: Unexpected … in JSON$/,
      )
    }
    return 'the build refuses it'
  })

  attack('take it along by a page', async () => {
    await put('secret.txt', SECRET)
    await link(join(folder, 'secret.txt'), join(folder, 'app/node_modules/evil/link.txt'))
    const page = (body: string) => `<!DOCTYPE html><html><head>${body}</head></html>`
    for (const body of [
      '<script src="./../../../secret.txt"></script>',
      '<script src="./../../.env.json"></script>',
      '<script src="./link.txt"></script>',
      '<script src="./script.js"></script>',
      '<link href="./style.css">',
    ]) {
      await put('app/node_modules/evil/page.html', page(body))
      const script = "import s from '../../../secret.txt'; console.log(s)"
      await put('app/node_modules/evil/script.js', script)
      await put('app/node_modules/evil/style.css', '@import "./link.css";')
      await put('secret.css', `.${SECRET} {}`)
      await link(join(folder, 'secret.css'), join(folder, 'app/node_modules/evil/link.css'))
      const main = "export { default } from './page.html'"
      expect(await build({ main }), body).toMatch(outside)
    }
    return 'the build refuses it'
  })

  attack('hold up the build with a device', async () => {
    await link('/dev/zero', join(folder, 'app/node_modules/evil/zero.txt'))
    for (const path of ['/dev/zero', '../../../../../../../dev/zero', './zero.txt']) {
      const main = `import s from '${path}' with { type: 'bytes' }; export default s`
      expect(await build({ main }), path).toMatch(outside)
    }
    return 'it is not read'
  })

  attack('show a line of another file by a source map of its own', async () => {
    const map = (source: string) => {
      const payload = { version: 3, sources: [source], names: [], mappings: 'AAAA;AAAA' }
      const base64 = Buffer.from(JSON.stringify(payload)).toString('base64')
      return `//# sourceMappingURL=data:application/json;base64,${base64}`
    }
    for (const source of [`${folder}/secret`, '../../../secret', `file://${folder}/secret`]) {
      const main = `throw new Error('boom')\nexport default 1\n${map(source)}\n`
      expect(await build({ main }), source).toContain('boom')
    }
    return 'only files of the bundle are read'
  })
})

attack('a file beside the code of a tool is a link that leaves the project', async () => {
  await link(join(folder, 'secret.json'), join(folder, 'app/tool/data.json'))
  const tool = `import s from './data.json'; export default { fetch: () => Response.json(s) }`
  expect(await build({ main: '', tool })).toMatch(outside)
  return 'the build refuses it'
})

test('what packages and projects do is built', async () => {
  await put('app/node_modules/evil/data.json', '{"fine":1}')
  await put('app/node_modules/evil/node_modules/nested/index.js', "export * from '../../b.js'")
  await put('app/node_modules/evil/b.js', 'export const b = 1')
  await put('app/data.json', '{"fine":2}')
  await put('shared.ts', 'export const shared = 3')
  await put('linked/package.json', '{"name":"another-name","main":"src/index.js"}')
  await put('linked/src/index.js', "import d from '../d.json'; export default d")
  await put('linked/d.json', '{"fine":4}')
  await link(join(folder, 'linked'), join(folder, 'app/node_modules/linked'))
  const main =
    "import d from './data.json'; import { b } from 'nested'; import l from 'linked'; export default [d, b, l]"
  const tool = `import value from 'evil'; import linked from 'linked'; import d from '../data.json'; import { shared } from '../../shared.ts'
export default { fetch: () => Response.json([value, linked, d, shared]) }`
  expect(await build({ main, tool })).toBe('')
})
