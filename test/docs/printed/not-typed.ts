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
const DEPLOYING = 'docs/deploying.md'

const SPIN = 'needs the program spin; "npm run on-spin" starts applications with it'
const PACKED = 'was run before: the packages are those of the test'
const SIGN_IN =
  'needs an authorization server, a domain name and a browser; test/authentication/login has all of it'
const CLONE = 'names tools of the clone'

export const NOT_TYPED: readonly NotTyped[] = [
  { page: README, line: 'npm ci && npm test', why: 'is the run that this test belongs to' },
  {
    page: README,
    line: 'npx @modelcontextprotocol/inspector --cli http://127.0.0.1:3000/mcp --method tools/list',
    why: 'npx fetches it from npm; test/jobs/inspector has it',
  },
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
  { page: DEPLOYING, line: 'npx ftl build echo --target node', why: CLONE, in: 'application' },
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
