import { parseManifest } from 'ftl-host'
import { expect, test } from 'vitest'
import { checkSettings, problemsAtStart } from './check-manifest.ts'

const manifest = (variables: string) =>
  parseManifest(
    `spin_manifest_version = 2
[application]
name = "app"
[[trigger.http]]
route = "/..."
component = "gateway"
[component.gateway]
source = "gateway.wasm"
allowed_outbound_hosts = ["http://*.spin.internal"]
[component.gateway.variables]
tool_components = ""
${variables}
`,
    '/nowhere/spin.toml',
  )

const found = (variables: string) =>
  checkSettings(manifest(variables), {}).filter(({ about }) => about === 'policy')

const KEYS = 'api_keys = "[]"'

test.each([['trust_forwarded_user = "true"'], [`${KEYS}\npolicy = ""`], ['auth_issuers = "x"']])(
  'a gateway that authenticates callers and has no policy is a problem, also when it starts: %s',
  (variables) => {
    expect(found(variables)).toMatchObject([
      {
        level: 'problem',
        message: 'no policy: gateway authenticates its callers, and permits nothing to them',
        remedy: expect.stringMatching(/--variable policy=signed-in/) as string,
      },
    ])
    expect(problemsAtStart(manifest(variables), {})).toEqual(found(variables))
  },
)

test('a manifest from before there were policies is told what to add', () => {
  expect(found(KEYS)[0]?.remedy).toMatch(/^add policy = "\{\{ policy \}\}" to \[component\.gateway/)
  expect(found(`${KEYS}\npolicy = ""`)[0]?.remedy).toMatch(/^set the variable policy/)
})

test.each([
  ['policy = "signed-in"', 'ok', 'signed-in'],
  [`policy = '{"rules":[{"effect":"deny"}]}'`, 'ok', '1 rule'],
  [`policy = '{"rules":[{}]}'`, 'problem', 'is not valid: rules[0].effect must be one of'],
])('of a gateway with authentication and %s it says: %s, %s', (policy, level, message) => {
  expect(found(`${KEYS}\n${policy}`)).toMatchObject([
    { level, message: expect.stringContaining(message) as string },
  ])
})

test('a policy without authentication is a problem, and without both there is none', () => {
  expect(found('policy = "signed-in"')).toMatchObject([
    {
      level: 'problem',
      message: expect.stringContaining('does not authenticate its callers') as string,
    },
  ])
  expect(found('trust_forwarded_user = "false"')).toEqual([])
})
