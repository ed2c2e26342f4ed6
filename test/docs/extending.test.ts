// The code of docs/extending.md: it compiles as it stands, and does what the page says.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { memoryPlatform } from 'ftl-platform/memory'
import { type ComponentEntry, toComponent } from 'ftl-sdk/serve'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../gateway/src/app.ts'
import type { WorkflowRepository } from '../../components/workflows/src/workflow-repository.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The blocks of the page by the path each is headed with; none of these is written. */
const files = new Map<string, string>()
beforeAll(async () => {
  const page = await readFile(join(ROOT, 'docs/extending.md'), 'utf8')
  for (const [, path = '', code = ''] of page.matchAll(/^```ts (\S+)\n(.*?)^```$/gms)) {
    files.set(join(ROOT, path), code)
  }
})

async function load<T>(path: string): Promise<T> {
  const entry = join(ROOT, path)
  const ofThePage: Plugin = {
    name: 'of-the-page',
    setup(context) {
      context.onResolve({ filter: /^[./]/ }, ({ path, resolveDir, importer }) => {
        const file = resolve(importer ? dirname(importer) : resolveDir, path)
        if (files.has(file)) return { path: file, namespace: 'page' }
        // Beside a file that is not written there is only what was written before.
        return files.has(importer) ? { path: file } : undefined
      })
      context.onLoad({ filter: /.*/, namespace: 'page' }, ({ path }) => ({
        contents: files.get(path) ?? '',
        loader: 'ts',
        resolveDir: ROOT,
      }))
    },
  }
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    external: ['fermyon:*', 'wasi:*', 'ws'],
    plugins: [ofThePage],
    logLevel: 'silent',
  })
  // Of what only a component can import nothing is used here.
  const code = (outputFiles[0]?.text ?? '').replace(/^import .* from "(fermyon|wasi):.*$/gm, '')
  // A file, so that a stack names it and not all of its text.
  const folder = await mkdtemp(join(tmpdir(), 'ftl-page-'))
  try {
    const file = join(folder, 'module.mjs')
    await writeFile(file, code)
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as T
  } finally {
    await rm(folder, { recursive: true })
  }
}

it('compiles, strictly', () => {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) =>
    ts.sys.readFile(path),
  ) as {
    config: { compilerOptions: object }
  }
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT)
  const host = ts.createCompilerHost(options)
  const fileExists = host.fileExists.bind(host)
  const getSourceFile = host.getSourceFile.bind(host)
  host.fileExists = (name) => files.has(name) || fileExists(name)
  // The folders of the page are not there, and would not be looked into.
  host.directoryExists = undefined
  host.getSourceFile = (name, version) => {
    const code = files.get(name)
    return code === undefined
      ? getSourceFile(name, version)
      : ts.createSourceFile(name, code, version)
  }
  const program = ts.createProgram([...files.keys()], options, host)
  const problems = [...files.keys()].flatMap((path) => {
    const source = program.getSourceFile(path)
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
  })
  expect(files.size).toBe(8)
  expect(
    problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  ).toEqual([])
})

describe('the gateway of the page', () => {
  const variables: Record<string, string> = {}
  const platform = memoryPlatform({
    variables,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const { message } = (await request.json()) as { message: string }
      return Response.json({ content: [{ type: 'text', text: `${request.url} ${message}` }] })
    },
  })
  let app: App
  beforeAll(async () => {
    app = (await load<{ app: App }>('my-gateway/src/app.ts')).app
  })
  const get = (path: string) => app.fetch(new Request(`http://localhost${path}`), platform)

  it('has the transport, which calls tools', async () => {
    const response = await get('/text/echo?message=hello')
    expect(await response.text()).toBe('http://echo.spin.internal/echo hello')
  })

  it('still has those that came with it, and the repository’s tools', async () => {
    const { tools } = (await (await get('/tools')).json()) as { tools: { name: string }[] }
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'forget'])
  })

  it('has the feature: its route, and no calls while its variable has a text', async () => {
    const call = () =>
      app.fetch(
        new Request('http://localhost/tools/echo', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"message":"hello"}',
        }),
        platform,
      )
    expect(await (await get('/maintenance')).json()).toEqual({ until: '' })
    expect((await call()).status).toBe(200)
    variables['maintenance'] = 'Back at noon.'
    try {
      expect(await (await get('/maintenance')).json()).toEqual({ until: 'Back at noon.' })
      const refused = await call()
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
      expect(await refused.text()).toContain('Back at noon.')
    } finally {
      variables['maintenance'] = ''
    }
  })

  it('calls only what the invoker lets through, on every route', async () => {
    expect((await get('/text/forget?what=all')).status).toBe(404)
    const post = new Request('http://localhost/tools/forget', {
      method: 'POST',
      body: '{"what":"all"}',
    })
    post.headers.set('content-type', 'application/json')
    expect((await app.fetch(post, platform)).status).toBe(404)
  })
})

it('the workflow repository of the page lists tools and gives one', async () => {
  const { objectRepository } = await load<{
    objectRepository: (files: ReadonlyMap<string, string>) => WorkflowRepository
  }>('components/my-workflows/src/object-repository.ts')
  const workflow = JSON.stringify({
    '6': { class_type: 'CLIPTextEncode', inputs: { text: '' } },
    '9': { class_type: 'SaveImage', inputs: { images: ['6', 0] } },
  })
  const config = JSON.stringify({
    name: 'example',
    description: 'Test txt2img workflow',
    fields: [
      { name: 'prompt', type: 'string', required: true, mapping: { node: 6, attribute: 'text' } },
    ],
  })
  const repository = objectRepository(
    new Map([
      ['config/example.json', config],
      ['workflows/example.json', workflow],
    ]),
  )
  const { tools, problems } = await repository.list()
  expect(problems).toEqual([])
  expect(tools.map(({ name }) => name)).toEqual(['example'])
  expect(await repository.getByName('example')).toMatchObject({
    tool: { name: 'example' },
    text: workflow,
  })
  expect(await repository.getByName('__proto__')).toBeUndefined()
})

it('the component of the page serves its workflows as tools', async () => {
  const entry = await load<ComponentEntry>('components/my-workflows/src/main.ts')
  const component = toComponent(entry, 'my-workflows')
  const platform = memoryPlatform({ variables: { comfyui_url: '' } })
  const ask = (path: string, init?: RequestInit) =>
    component.fetch(new Request(`http://my-workflows.spin.internal${path}`, init), platform)
  expect(await (await ask('/')).json()).toMatchObject({ tools: [{ name: 'portrait' }] })
  const called = await ask('/portrait', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  expect(await called.json()).toMatchObject({
    structuredContent: { workflow: { '9': { class_type: 'SaveImage' } } },
  })
})
