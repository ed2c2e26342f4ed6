/** `ftl add openapi`: writes the component of an API, or its plan again. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { type ApiChoice, type ApiPlan, isObject, isString, jsonOf } from 'ftl-contract'
import { checkName, findManifest, NewFailure, type Outcome } from 'create-ftl-tool'
import { type Manifest, parseManifest } from 'ftl-host'
import { addComponent } from '../new/add-component.ts'
import { refuseRole, waitingFor } from '../registry/name-role.ts'
import { suggestedName } from './api-name.ts'
import { API_FILE, apiFile, apiFiles, apiTemplate, hostsOf } from './api-files.ts'
import { readDocument } from './document.ts'
import { type Planned, planOf } from './plan.ts'
import { variablesFor } from './security.ts'

export interface ApiRequestOptions {
  source: string
  name?: string | undefined
  choice: ApiChoice
}

export interface ReadApi extends Planned {
  component: string
}

/** @throws {CommandFailure | NewFailure} */
export async function readApi({ source, name, choice }: ApiRequestOptions): Promise<ReadApi> {
  const { document, base } = await readDocument(source)
  const component = name ?? suggestedName(document, source)
  checkName(component)
  refuseRole(component, [])
  const input = { document, component, choice, source: keptSource(source) }
  return { ...planOf(base === undefined ? input : { ...input, base }), component }
}

/** Files relative to the application, so that an update finds them on another machine. */
function keptSource(source: string): string {
  if (/^https?:\/\//i.test(source)) return source
  const manifest = findManifest('.')
  const path = relative(manifest === undefined ? '.' : dirname(manifest), resolve(source))
  return isAbsolute(path) ? path : path.replaceAll('\\', '/')
}

/** @throws {NewFailure} and has then written nothing. */
export async function saveApi({ plan, component }: ReadApi, from: string): Promise<Outcome> {
  const manifestFile = applicationOf(from)
  return addComponent(
    manifestFile,
    { name: component, template: apiTemplate(plan) },
    {},
    {
      files: apiFiles(plan, component),
      prepare(text, manifest) {
        refuseTaken(manifest, component, plan)
        return { text, lines: [] }
      },
    },
  )
}

/**
 * Its author chooses the names of a document. They must not give its server what is of another component.
 *
 * @throws {NewFailure}
 */
function refuseTaken(manifest: Manifest, component: string, plan: ApiPlan): void {
  const [waiting] = waitingFor(manifest, component)
  if (waiting !== undefined) {
    throw new NewFailure(
      `a component "${component}" is named in spin.toml already: it ${waiting}. Choose another name with --name`,
    )
  }
  const variables = [...variablesFor(Object.values(plan.credentials), plan.title).keys()]
  const taken = variables.find((name) => manifest.variables.has(name))
  if (taken !== undefined) {
    throw new NewFailure(
      `spin.toml has a variable "${taken}" already, whose value this API would get. Choose another name with --name`,
    )
  }
}

function applicationOf(from: string): string {
  const manifestFile = findManifest(from)
  if (manifestFile !== undefined) return manifestFile
  throw new NewFailure(
    `there is no spin.toml in ${from} or above it: make an application with "npx ftl new", and go to its folder`,
  )
}

export interface SavedApi {
  plan: ApiPlan
  /** Absolute. */
  file: string
  application: string
  component: string
  manifest: Manifest
}

/** @throws {NewFailure} */
export function savedApi(name: string, from: string): SavedApi {
  const manifestFile = applicationOf(from)
  const manifest = parseManifest(readFileSync(manifestFile, 'utf8'), manifestFile)
  const { components, folder } = manifest
  const entry = components.get(name)?.tool['ftl']?.['entry']
  const file =
    typeof entry === 'string' ? join(folder, dirname(dirname(entry)), API_FILE) : undefined
  if (file === undefined || !existsSync(file)) {
    throw new NewFailure(`spin.toml has no component "${name}" that ftl add openapi has made`)
  }
  return { plan: readPlan(file), file, application: folder, component: name, manifest }
}

/** Where the document of a saved plan is, seen from here. */
export function sourceOf({ plan: { source }, application }: SavedApi): string {
  return /^https?:\/\//i.test(source) ? source : resolve(application, source)
}

function readPlan(file: string): ApiPlan {
  const plan = jsonOf(readFileSync(file, 'utf8'))
  if (isPlan(plan)) return plan
  throw new NewFailure(
    `${file} must be as ftl add openapi has written it: take it from your version control, or remove the component and add it again`,
  )
}

const isPlan = (value: unknown): value is ApiPlan =>
  isObject(value) &&
  value['format'] === 1 &&
  isString(value['source']) &&
  isString(value['server']) &&
  isObject(value['choice']) &&
  isObject(value['credentials']) &&
  isObject(value['schemas']) &&
  Array.isArray(value['operations'])

/**
 * @returns lines that `spin.toml` does not have yet and the new plan needs.
 * @throws {NewFailure} and has then written nothing.
 */
export function updateApi(
  { file, component, manifest, plan: before }: SavedApi,
  plan: ApiPlan,
): string[] {
  const own = manifest.components.get(component)
  const allowed = own?.allowedOutboundHosts ?? []
  const hosts = hostsOf(plan)
  const news = [...variablesFor(Object.values(plan.credentials), plan.title).keys()].filter(
    (name) => !Object.hasOwn(own?.variables ?? {}, name),
  )
  for (const name of news) {
    const [other] = [...manifest.components.values()].filter(
      (each) => each.id !== component && Object.hasOwn(each.variables, name),
    )
    if (!other) continue
    throw new NewFailure(
      `the document has credentials now whose variable would be "${name}", which is of the component "${other.id}", so nothing was written. Rename that variable, or add the API again with another --name`,
    )
  }
  writeFileSync(file, apiFile(plan))
  const others = allowed.filter((host) => !hostsOf(before).includes(host))
  return [
    ...(hosts.every((host) => allowed.includes(host))
      ? []
      : [`allowed_outbound_hosts = ${JSON.stringify([...new Set([...others, ...hosts])])}`]),
    ...news.map((name) => `${name} = "{{ ${name} }}"`),
  ]
}
