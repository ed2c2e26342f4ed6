/** The templates: each is a folder of real files, and its part of `spin.toml`. */
import type { ComponentSpec } from './component.ts'
import { NewFailure } from './failure.ts'
import { toolName } from './names.ts'
import { COMFYUI_VARIABLES } from './parts/part-variables.ts'
import { bindings, picked } from './parts/variable-spec.ts'

/** A variable of the application. */
export interface VariableSpec {
  default: string
  description: string
  /** @default false */
  secret?: boolean
}

export interface Template {
  id: string
  /** What it shows, for the user who chooses. */
  title: string
  /** Packages it needs besides those of every application. */
  packages: readonly string[]
  variables: Readonly<Record<string, VariableSpec>>
  /** Arguments to try it with, as `ftl call` takes them. */
  tryWith: string
  /** Appended to the component's name to get the tool that `tryWith` is for. @default '' */
  trySuffix?: string
  /** What must be installed besides Node, and how to install it. */
  needs?: string
  /** Names it cannot have, with the reason. @default none */
  reserved?: Readonly<Record<string, string>>
  component(place: Place): ComponentSpec
}

/** Where a component is placed. */
export interface Place {
  id: string
  /** The component's folder, relative to the folder of the manifest, with `/`. */
  folder: string
}

const HOSTS_HINT = 'allowed_outbound_hosts = ["https://api.example.com"]  # none without this line'
const STORE_HINT = 'key_value_stores = ["default"]  # what it remembers from one call to the next'

function typescript(
  { id, folder }: Place,
  { hints = [HOSTS_HINT, STORE_HINT], ...more }: Partial<ComponentSpec> = {},
): ComponentSpec {
  return {
    id,
    source: `dist/${id}.wasm`,
    allowedOutboundHosts: [],
    keyValueStores: [],
    files: [],
    variables: {},
    build: { command: 'npx ftl build', watch: [`${folder}/src/**/*.ts`] },
    entry: `${folder}/src/main.ts`,
    hints,
    ...more,
  }
}

/** @see https://doc.rust-lang.org/reference/keywords.html */
const RUST_KEYWORDS =
  'abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if impl ' +
  'in let loop macro match mod move mut override priv pub ref return self static struct super trait true try type ' +
  'typeof unsafe unsized use virtual where while yield'

/** Crates that the package depends on, so that it cannot have their names. */
const RUST_CRATES = 'alloc core ftl-component proc-macro schemars serde serde-json std test'

const RUST_NAMES = Object.fromEntries([
  ...RUST_KEYWORDS.split(' ').map((name) => [name, 'is a keyword of Rust']),
  ...RUST_CRATES.split(' ').map((name) => [name, 'is a crate it needs']),
]) as Record<string, string>

const COMFYUI = ['comfyui_url', 'comfyui_path', 'comfyui_auth']

const base = { packages: ['zod'], variables: {} }

export const TEMPLATES: readonly Template[] = [
  {
    ...base,
    id: 'tool',
    title: 'one tool, with a Zod schema',
    tryWith: 'name=Ada',
    component: (place) => typescript(place),
  },
  {
    ...base,
    id: 'tools',
    title: 'several tools, a prompt and a resource in one component',
    tryWith: 'celsius=100',
    trySuffix: '_to_fahrenheit',
    component: (place) => typescript(place),
  },
  {
    ...base,
    id: 'job',
    title: 'work that takes longer than a call: a job with progress that can be cancelled',
    tryWith: 'seconds=5',
    component: (place) => typescript(place, { keyValueStores: ['default'], hints: [HOSTS_HINT] }),
  },
  {
    ...base,
    id: 'stream',
    title: 'a tool that reports its progress',
    tryWith: "words='one two three'",
    component: (place) => typescript(place),
  },
  {
    id: 'workflow',
    title: 'a ComfyUI workflow as a tool: two JSON files',
    packages: ['ftl-workflows'],
    variables: picked(COMFYUI_VARIABLES, COMFYUI),
    tryWith: "prompt='a lighthouse in a storm'",
    component: (place) =>
      typescript(place, {
        allowedOutboundHosts: ['{{ comfyui_url }}'],
        keyValueStores: ['default'],
        files: ['config', 'workflows'].map((name) => ({
          source: `${place.folder}/${name}`,
          destination: `/${name}`,
        })),
        variables: bindings(COMFYUI),
        build: { command: 'npx ftl build', watch: [] },
        entry: 'ftl-workflows',
        hints: ['Both folders are read while it runs: a workflow put there is a tool at once.'],
      }),
  },
  {
    id: 'rust',
    title: 'one tool in Rust',
    packages: [],
    variables: {},
    tryWith: 'name=Ada',
    reserved: RUST_NAMES,
    needs: 'cargo and its target wasm32-wasip2 (rustup target add wasm32-wasip2)',
    component: ({ id, folder }) => ({
      id,
      source: `${folder}/target/wasm32-wasip2/release/${toolName(id)}.wasm`,
      allowedOutboundHosts: [],
      keyValueStores: [],
      files: [],
      variables: {},
      build: {
        command: 'cargo build --target wasm32-wasip2 --release',
        workdir: folder,
        watch: ['src/**/*.rs', 'Cargo.toml'],
      },
      hints: [HOSTS_HINT],
    }),
  },
]

/** @throws {NewFailure} that lists the templates. */
export function templateOf(id: string): Template {
  const found = TEMPLATES.find((template) => template.id === id)
  if (found) return found
  const all = TEMPLATES.map((template) => template.id).join(', ')
  throw new NewFailure(`there is no template "${id}"; there are ${all}`)
}

/** A command that calls what the template makes. */
export function tryCommand(component: string, { tryWith, trySuffix = '' }: Template): string {
  return `npx ftl call ${toolName(component)}${trySuffix} ${tryWith}`
}
