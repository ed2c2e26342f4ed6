/** The commands that deploy an application, in their order. */
import type { DeployPlan } from './deploy-plan.ts'

const STEPS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'container',
    [
      'podman build --format docker --tag NAME .      # see --write; with docker: docker build --file Containerfile --tag NAME .',
      'podman run --read-only --tmpfs /tmp --volume NAME-state:/state --env-file .env --publish 8080:3000 NAME',
    ],
  ],
  [
    'spin',
    [
      'npx ftl build',
      'npx ftl spin-config',
      'spin up --from spin-separate.toml --runtime-config-file spin-separate-runtime.toml --listen 192.0.2.1:1      # compiles, and ends with "Unable to listen"',
      'spin up --from spin-separate.toml --runtime-config-file spin-separate-runtime.toml --max-instance-memory 134217728',
    ],
  ],
  [
    'spinkube',
    [
      'npx ftl build',
      'spin registry push REGISTRY/NAME:1',
      'kubectl apply -f secrets.yaml      # a copy of secrets.example.yaml with your values',
      'kubectl apply -f spinapp.yaml      # see --write',
    ],
  ],
  ['akamai', ['npx ftl build', 'spin aka login', 'spin aka deploy']],
  [
    'cloudflare-bridge',
    ['npm install wrangler', 'npx wrangler deploy --config wrangler.toml      # see --write'],
  ],
])

/** Where variables are given on the command line. */
const WITH_VARIABLES: readonly string[] = ['spin up', 'spin aka deploy']

/** Commands that read the manifest. */
const WITH_MANIFEST = [
  'npx ftl build',
  'npx ftl spin-config',
  'spin registry push',
  'spin aka deploy',
]

/**
 * @param plan names of variables, or names with a value: `allowed_hosts`, `wait_limit_ms=28000`.
 * @param manifest name of its file.
 */
export function stepsFor(
  target: string,
  { toSet }: Pick<DeployPlan, 'toSet'>,
  manifest = 'spin.toml',
): string[] {
  const flags = [...new Set(toSet)]
    .map((name) => ` --variable ${name.includes('=') ? name : `${name}=…`}`)
    .join('')
  const from = manifest === 'spin.toml' ? '' : ` --from ${manifest}`
  const begins = (step: string, commands: readonly string[]) =>
    commands.some((command) => step.startsWith(command))
  return (STEPS.get(target) ?? []).map((step) => {
    const [, command = step, rest = ''] = /^(.*?)( {2,}#.*)?$/.exec(step) ?? []
    const named = begins(step, WITH_MANIFEST) ? command + from : command
    return (begins(step, WITH_VARIABLES) ? named + flags : named) + rest
  })
}
