/** Parts of an application besides the gateway and its own tools: `ftl add PART` brings them, and so does `--with PART`. */
import type { ComponentSpec } from '../component.ts'
import { NewFailure } from '../failure.ts'
import type { VariableSpec } from '../template.ts'
import { GATEWAY_VARIABLES } from './gateway-variables.ts'
import {
  AUTH_VARIABLES,
  CHAT_VARIABLES,
  COMFYUI_VARIABLES,
  PAGE_VARIABLES,
  REMOTE_VARIABLES,
} from './part-variables.ts'
import { bindings, picked } from './variable-spec.ts'

/** The package that all parts are in. */
export const PARTS_PACKAGE = 'ftl-components'

export interface Part {
  id: string
  /** What it is, to be read in a sentence. */
  title: string
  /** What it does, for the user who chooses. */
  about: string
  /** Variables of the application that it reads, besides those of the gateway. */
  variables: Readonly<Record<string, VariableSpec>>
  components: readonly PartComponent[]
  /** The page that tells more. */
  page: string
}

export interface PartComponent {
  spec: ComponentSpec
  /** Whether the gateway asks it for tools. */
  hasTools: boolean
  /** Folders of the package with settings that become the application's, which it mounts. */
  folders: readonly string[]
  /** Variables of the gateway that it reads, too. */
  shared: readonly string[]
}

type Options = Partial<Omit<ComponentSpec, 'id'>> & Partial<Omit<PartComponent, 'spec'>>

function component(
  id: string,
  { hasTools = true, folders = [], shared = [], ...more }: Options,
): PartComponent {
  const spec: ComponentSpec = {
    id,
    source: `dist/${id}.wasm`,
    allowedOutboundHosts: [],
    keyValueStores: [],
    files: [],
    variables: {},
    build: { command: 'npx ftl build', watch: [] },
    entry: `${PARTS_PACKAGE}/${id}`,
    hints: [],
    ...more,
  }
  return { spec, hasTools, folders, shared }
}

const ACCESS = ['allowed_origins', 'allowed_hosts']
const OF_PAGE = ['bridge_url', 'auth_issuers', ...ACCESS]
const OF_AUTH = ['auth_audience', 'auth_scopes', ...ACCESS]
const COMFYUI = ['comfyui_url', 'comfyui_path', 'comfyui_auth', 'image_hosts', 'inline_images']
const KEYS = ['comfyui_client_id', 'comfyui_api_key']
const UPLOADS = 'upload_max_bytes'
const SWITCHES = ['comfyui_run_workflow', UPLOADS, 'comfyui_free_memory']

/** Where the settings of the image tools are, which an application changes. */
const IMAGES = 'tools/generate-image'

function imageTool(id: string, others: readonly string[], more: Options): PartComponent {
  return component(id, {
    allowedOutboundHosts: [
      '{{ comfyui_url }}',
      ...others.map((other) => `http://${other}.spin.internal`),
    ],
    keyValueStores: ['default'],
    ...more,
    variables: {
      ...bindings([...COMFYUI, ...KEYS]),
      image_components: others.join(','),
      ...more.variables,
    },
  })
}

export const PARTS: readonly Part[] = [
  {
    id: 'web',
    title: 'the web page',
    about: 'a page with tools, forms, jobs and a chat',
    page: 'docs/web.md',
    variables: PAGE_VARIABLES,
    components: [
      component('web', {
        routes: ['/', '/app/...', '/docs'],
        hasTools: false,
        shared: OF_PAGE,
        variables: bindings([...OF_PAGE, ...Object.keys(PAGE_VARIABLES)]),
      }),
    ],
  },
  {
    id: 'chat',
    title: 'the chat',
    about: 'a model that calls the tools, for the page and for programs',
    page: 'docs/chat.md',
    variables: CHAT_VARIABLES,
    components: [
      component('chat', {
        routes: ['/api/chat'],
        hasTools: false,
        shared: ACCESS,
        allowedOutboundHosts: ['http://mcp-gateway.spin.internal', '{{ llm_url }}'],
        keyValueStores: ['default'],
        variables: bindings([...Object.keys(CHAT_VARIABLES), ...ACCESS]),
      }),
    ],
  },
  {
    id: 'comfyui',
    title: 'the image tools',
    about: 'images with ComfyUI: generate_image, uploads, models, workflows as tools',
    page: 'docs/comfyui.md',
    variables: COMFYUI_VARIABLES,
    components: [
      imageTool('generate-image', ['workflows', 'comfyui'], {
        folders: ['config', 'workflows'],
        files: ['config', 'workflows'].map((name) => ({
          source: `${IMAGES}/${name}`,
          destination: `/${name}`,
        })),
      }),
      imageTool('workflows', ['generate-image', 'comfyui'], {
        entry: 'ftl-workflows',
        folders: ['config', 'workflows'],
        files: [
          { source: 'tools/workflows/config', destination: '/config' },
          { source: 'tools/workflows/workflows', destination: '/workflows' },
          { source: `${IMAGES}/config`, destination: '/generate-image' },
        ],
        // It says how large a file may be, which the component comfyui takes.
        variables: bindings([UPLOADS]),
        hints: ['Both folders are read while it runs: a workflow put there is a tool at once.'],
      }),
      imageTool('comfyui', ['generate-image', 'workflows'], {
        files: [{ source: `${IMAGES}/config`, destination: '/generate-image' }],
        variables: bindings(SWITCHES),
      }),
    ],
  },
  {
    id: 'remote',
    title: 'the component for other MCP servers',
    about: 'tools of other MCP servers',
    page: 'docs/remote.md',
    variables: REMOTE_VARIABLES,
    components: [
      component('remote', {
        // Pages for users who sign in at these servers.
        routes: ['/connect/...'],
        shared: ['auth_audience'],
        allowedOutboundHosts: ['http://127.0.0.1:*', 'http://localhost:*'],
        keyValueStores: ['default'],
        variables: bindings([...Object.keys(REMOTE_VARIABLES), 'auth_audience']),
        // Those of its servers.
        skills: true,
        hints: ['Add the hosts of remote_servers: all others are blocked.'],
      }),
    ],
  },
  {
    id: 'code',
    title: 'the component that runs programs',
    about: 'programs of models that call tools (run_code)',
    page: 'docs/programs.md',
    variables: {},
    components: [
      component('code', {
        // With a wildcard, programs could not be kept from other components.
        allowedOutboundHosts: ['http://mcp-gateway.spin.internal'],
        hints: ['The gateway, and nothing else: programs call tools through it.'],
      }),
    ],
  },
  {
    id: 'auth',
    title: 'the authorization server',
    about: 'sign-in for clients that register themselves, such as claude.ai',
    page: 'docs/auth-server.md',
    variables: AUTH_VARIABLES,
    components: [
      component('auth', {
        routes: ['/.well-known/oauth-authorization-server', '/auth/...'],
        hasTools: false,
        shared: OF_AUTH,
        // Hosts of the documents that clients describe themselves by.
        allowedOutboundHosts: ['https://claude.ai', 'https://chatgpt.com', 'https://vscode.dev'],
        keyValueStores: ['default'],
        variables: bindings([...Object.keys(AUTH_VARIABLES), ...OF_AUTH]),
        hints: ['Add hosts whose documents describe clients; none of others is requested.'],
      }),
    ],
  },
]

/** @param names separated by commas. @throws {NewFailure} that lists the parts. */
export function partsOf(names: string): Part[] {
  const wanted = names.split(',').map((name) => name.trim())
  return [...new Set(wanted.filter((name) => name !== ''))].map((name) => {
    const found = PARTS.find(({ id }) => id === name)
    if (found) return found
    const all = PARTS.map(({ id }) => id).join(', ')
    throw new NewFailure(`there is no part "${name}"; there are ${all}`)
  })
}

/** Every variable of the application that a component of a part reads. */
export function variablesOf(part: Part): Record<string, VariableSpec> {
  const shared = part.components.flatMap((each) => each.shared)
  return { ...picked(GATEWAY_VARIABLES, shared), ...part.variables }
}
