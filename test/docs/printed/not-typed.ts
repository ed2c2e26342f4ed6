/** Every printed line that no test types, and why. */
import type { Visit } from './visits.ts'

export interface NotTyped {
  page: string
  line: string
  why: string
  /** Only there. @default nowhere is it typed */
  in?: Visit['in']
}

const README = 'README.md'
const AUTHENTICATION = 'docs/authentication.md'
const PUBLISH = 'docs/publish.md'
const DEPLOYING = 'docs/deploying.md'

const SPIN = 'needs the program spin; "npm run on-spin" starts applications with it'
const PACKED = 'was run before: the packages are those of the test'
const SIGN_IN =
  'needs an authorization server, a domain name and a browser; test/authentication/login has all of it'
const UPSTREAM = 'asks a server of the outside about its addresses; test/auth-server has one'
const GRANTS = 'needs a user who has signed in; test/auth-server/grants-command has one'
const GHCR = 'needs an account at a registry; test/registry/publish has a registry'
const CLONE = 'names tools of the clone'

export const NOT_TYPED: readonly NotTyped[] = [
  { page: README, line: 'npm ci && npm test', why: 'is the run that this test belongs to' },
  {
    page: README,
    line: 'npx @modelcontextprotocol/inspector --cli http://127.0.0.1:3000/mcp --method tools/list',
    why: 'npx fetches it from npm; test/jobs/inspector has it',
  },
  { page: README, line: 'spin build && spin up', why: SPIN },
  { page: README, line: 'npm run pack', why: PACKED },
  { page: 'docs/quick-start.md', line: 'npm ci', why: PACKED },
  { page: 'docs/quick-start.md', line: 'npm run pack', why: PACKED },
  { page: 'docs/tutorial.md', line: 'npm ci', why: PACKED },
  { page: 'docs/tutorial.md', line: 'npm run pack', why: PACKED },
  {
    page: AUTHENTICATION,
    line: 'claude mcp add --transport http ftl https://gateway.example/mcp --header "Authorization: Bearer KEY"',
    why: 'needs Claude Code',
  },
  {
    page: 'docs/remote.md',
    line: 'SPIN_VARIABLE_REMOTE_KEY="$REMOTE_KEY" npx ftl logout https://gateway.example/mcp --server tracker --user key:ada',
    why: 'needs a gateway and a server with sign-ins; test/remote/consent has both',
  },
  { page: AUTHENTICATION, line: 'npx ftl login https://gateway.example/mcp', why: SIGN_IN },
  { page: AUTHENTICATION, line: 'npx ftl tools --url https://gateway.example/mcp', why: SIGN_IN },
  { page: AUTHENTICATION, line: 'npx ftl whoami https://gateway.example/mcp', why: SIGN_IN },
  { page: AUTHENTICATION, line: 'npx ftl logout https://gateway.example/mcp', why: SIGN_IN },
  {
    page: AUTHENTICATION,
    line: 'npx ftl login https://gateway.example/mcp --client-credentials --client-id ci --private-key ci.pem',
    why: SIGN_IN,
  },
  { page: DEPLOYING, line: 'spin up', why: SPIN },
  { page: DEPLOYING, line: 'spin up --listen 192.0.2.1:1', why: SPIN },
  { page: 'docs/auth-server.md', line: 'npx ftl auth grants', why: GRANTS },
  { page: 'docs/auth-server.md', line: 'npx ftl auth revoke ada --client 3f2a90c1', why: GRANTS },
  { page: 'docs/auth-server.md', line: 'npx ftl auth revoke ada', why: GRANTS },
  { page: DEPLOYING, line: 'spin build', why: SPIN },
  { page: DEPLOYING, line: 'spin up --max-instance-memory 134217728', why: SPIN },
  {
    page: DEPLOYING,
    line: 'spin up --from spin-separate.toml --runtime-config-file spin-separate-runtime.toml',
    why: SPIN,
  },
  {
    page: DEPLOYING,
    line: 'spin registry push registry.example/me/my-tools:1',
    why: 'needs Spin and an account at a registry',
  },
  {
    page: DEPLOYING,
    line: 'spin kube scaffold --from registry.example/me/my-tools:1 | kubectl apply -f -',
    why: 'needs a cluster with SpinKube',
  },
  { page: DEPLOYING, line: 'spin aka login', why: 'needs an account at Akamai' },
  { page: DEPLOYING, line: 'spin aka deploy', why: 'needs an account at Akamai' },
  {
    page: DEPLOYING,
    line: 'npx ftl build --group basics=echo,calculator',
    why: CLONE,
    in: 'application',
  },
  { page: DEPLOYING, line: 'npx ftl up --from spin-grouped.toml', why: CLONE, in: 'application' },
  {
    page: DEPLOYING,
    line: 'PORT=3000 node dist/node/NAME/server.mjs',
    why: 'NAME is for the name of a component; test/contract/node runs one',
  },
  {
    page: DEPLOYING,
    line: 'npx wrangler deploy --config dist/workers/NAME/wrangler.json',
    why: 'needs an account at Cloudflare; test/contract/workers runs one',
  },
  {
    page: 'docs/remote.md',
    line: 'npx ftl login --server tracker',
    why: 'needs a gateway and a server with sign-ins; test/remote/consent has both',
  },
  { page: 'docs/auth-server.md', line: 'npx ftl login https://gateway.example/mcp', why: SIGN_IN },
  {
    page: 'docs/auth-server.md',
    line: 'npx ftl auth init https://gateway.example --upstream https://id.example/realms/main --client-id gateway --permit group:operators',
    why: UPSTREAM,
  },
  {
    page: 'docs/auth-server.md',
    line: 'npx ftl auth init https://gateway.example --github --client-id Ov23liExample --permit org:acme',
    why: UPSTREAM,
  },
  {
    page: 'docs/clients.md',
    line: 'claude mcp add --transport http ftl http://127.0.0.1:3000/mcp',
    why: 'needs Claude Code',
  },
  {
    page: 'docs/clients.md',
    line: 'npx ftl inspect',
    why: 'fetches the Inspector from npm; test/e2e/inspect has it',
  },
  {
    page: 'docs/clients.md',
    line: 'npx @modelcontextprotocol/inspector --cli http://127.0.0.1:3000/mcp --method tools/list',
    why: 'npx fetches it from npm; test/jobs/inspector has it',
  },
  {
    page: 'docs/testing.md',
    line: 'npx ftl test target/wasm32-wasip2/release/greet.wasm',
    why: 'needs the compiler of Rust; test/contract has components in Rust',
  },
  {
    page: 'docs/testing.md',
    line: 'npx ftl test http://127.0.0.1:8080',
    why: 'needs a component that is served by itself; test/contract/node has one',
  },
  {
    page: 'docs/testing.md',
    line: `npx ftl test weather --tool forecast --args '{"city":"Oslo"}'`,
    why: 'needs a component with these names; docs/tutorial.md has the like, which is typed',
  },
  { page: DEPLOYING, line: 'npx ftl build echo --target node', why: CLONE, in: 'application' },
  {
    page: PUBLISH,
    line: 'npm publish ./dist/publish/acme-weather-1.0.0.tgz --access public',
    why: 'needs an account at npm; test/packages/registry publishes to a registry of its own',
  },
  { page: PUBLISH, line: 'docker login ghcr.io', why: GHCR },
  {
    page: PUBLISH,
    line: 'npx ftl publish weather --oci ghcr.io/acme/weather:1.0.0 --sign publisher.pem',
    why: GHCR,
  },
  {
    page: PUBLISH,
    line: 'npx ftl add npm:@acme/weather --key ed25519:…',
    why: 'needs a package at npm; test/registry/add has a registry',
  },
  {
    page: PUBLISH,
    line: 'npx ftl add oci://ghcr.io/acme/weather:1.0.0 --key ed25519:…',
    why: GHCR,
  },
]

/** Why a line is not typed at a visit. */
export function reasonFor(visit: Pick<Visit, 'page' | 'in'>, line: string): string | undefined {
  return NOT_TYPED.find(
    (each) =>
      each.page === visit.page &&
      each.line === line &&
      (each.in === undefined || each.in === visit.in),
  )?.why
}
