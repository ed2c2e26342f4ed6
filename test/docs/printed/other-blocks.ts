/** Every block of the visited pages that is not typed and that `code-blocks.test.ts` does not read, and what it is. */

export interface OtherBlock {
  page: string
  /** Its first line. */
  begins: string
  /** What it shows, or which test runs it. */
  why: string
}

const CONTAINER = 'needs podman; test/many/container has it'
const ENV = 'lines of a file, which the visits write'
const CADDY = 'a configuration of Caddy'
const SHOWN = 'what a program prints'

export const OTHER_BLOCKS: readonly OtherBlock[] = [
  { page: 'README.md', begins: 'client ──POST /mcp──► mcp-gateway ──', why: 'a picture' },
  {
    page: 'docs/deploying.md',
    begins: 'podman build --format docker --tag my-tools .',
    why: CONTAINER,
  },
  {
    page: 'docs/deploying.md',
    begins: 'podman build --format docker --platform linux/amd64,linux/arm64',
    why: 'needs podman and an emulator of the other architecture',
  },
  {
    page: 'docs/deploying.md',
    begins: 'podman run --read-only --tmpfs /tmp --volume my-tools-state:/state --volume',
    why: CONTAINER,
  },
  { page: 'docs/deploying.md', begins: 'podman exec NAME', why: CONTAINER },
  { page: 'docs/deploying.md', begins: 'gateway.example {', why: CADDY },
  { page: 'docs/authentication.md', begins: 'SPIN_VARIABLE_API_KEYS=', why: ENV },
  {
    page: 'docs/authentication.md',
    begins: 'SPIN_VARIABLE_AUTH_INTROSPECTION=',
    why: 'lines of a file; test/providers/providers has the server',
  },
  { page: 'docs/authentication.md', begins: '[5f0c…] a token is refused', why: SHOWN },
  {
    page: 'docs/authentication.md',
    begins: 'SPIN_VARIABLE_FORWARDED_USER_SECRET=',
    why: 'a line of a file, for a secret of the reader',
  },
  { page: 'docs/authentication.md', begins: 'gateway.example {', why: CADDY },
  { page: 'docs/comfyui.md', begins: 'render type "Standard": The ComfyUI server', why: SHOWN },
  {
    page: 'docs/workflows.md',
    begins: 'components/workflows/        in an application',
    why: 'a list of files',
  },
  {
    page: 'docs/workflows.md',
    begins: 'config/portrait.json:9: error: tool "portrait"',
    why: SHOWN,
  },
  { page: 'docs/remote.md', begins: 'ftl bridge-stdio [--listen host:port]', why: 'a synopsis' },
  { page: 'docs/chat.md', begins: '{"type":"status"', why: SHOWN },
]
