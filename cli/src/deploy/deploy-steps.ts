/** The commands that deploy an application, in their order. */
import type { DeployPlan } from './deploy-plan.ts'

const STEPS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'spin',
    [
      'npx ftl build',
      'npx ftl spin-config',
      'spin up --from spin-separate.toml --runtime-config-file spin-separate-runtime.toml --max-instance-memory 134217728',
    ],
  ],
  [
    'spinkube',
    [
      'npx ftl build',
      'spin registry push REGISTRY/NAME:1',
      'kubectl apply -f spinapp.yaml      # see --write',
    ],
  ],
  ['akamai', ['npx ftl build', 'spin aka login', 'spin aka deploy']],
  [
    'cloudflare-bridge',
    [
      'npm install ftl-bridge wrangler',
      'npx wrangler deploy --config wrangler.toml      # see --write',
    ],
  ],
])

/** Where variables are given on the command line. */
const WITH_VARIABLES: readonly string[] = ['spin up', 'spin aka deploy']

export function stepsFor(target: string, { toSet }: Pick<DeployPlan, 'toSet'>): string[] {
  const flags = [...new Set(toSet)].map((name) => ` --variable ${name}=…`).join('')
  return (STEPS.get(target) ?? []).map((step) =>
    WITH_VARIABLES.some((command) => step.startsWith(command)) ? step + flags : step,
  )
}
