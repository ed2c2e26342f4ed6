import { parseManifest } from 'ftl-host'
import { afterEach, expect, test, vi } from 'vitest'
import { checkSettings, problemsAtStart } from './check-manifest.ts'

const APPLICATION = `spin_manifest_version = 2
[application]
name = "app"
[variables]
tools = { default = "echo" }
key = { required = true }
[[trigger.http]]
route = "/..."
component = "gateway"
[component.gateway]
source = "gateway.wasm"
allowed_outbound_hosts = ["http://*.spin.internal"]
[component.gateway.variables]
tool_components = "{{ tools }}"
[[trigger.http]]
route = { private = true }
component = "echo"
[component.echo]
source = "echo.wasm"
`

function problems(text: string, variables: Record<string, string> = { key: 'k' }) {
  return checkSettings(parseManifest(text, '/nowhere/spin.toml'), variables)
    .filter(({ level }) => level !== 'ok')
    .map(({ level, about, message, remedy = '' }) => `${level} ${about}: ${message} (${remedy})`)
}

afterEach(() => vi.unstubAllEnvs())

test('a sound application has nothing to complain of', () => {
  expect(problems(APPLICATION)).toEqual([])
})

test('a required variable without a value is named with the ways to give it one', () => {
  expect(problems(APPLICATION, {})).toEqual([
    'problem variable key: is required and has no value (set SPIN_VARIABLE_KEY, put that into .env, or start with --variable key=…)',
  ])
  vi.stubEnv('SPIN_VARIABLE_KEY', 'k')
  expect(problems(APPLICATION, {})).toEqual([])
})

test.each(['echo,nope', '["echo","nope"]', ' nope , echo '])(
  'tool_components = %s names a component that is not there',
  (tools) => {
    expect(problems(APPLICATION, { key: 'k', tools })).toEqual([
      'problem tool_components: names "nope", and there is no such component (name some of: echo)',
    ])
  },
)

test.each(['["http://echo.spin.internal"]', '["https://*.spin.internal"]', '[]'])(
  'a gateway with the hosts %s cannot call the others',
  (hosts) => {
    const text = APPLICATION.replace('["http://*.spin.internal"]', hosts)
    expect(problems(text)).toEqual([
      'problem component gateway: may not call the other components (add "http://*.spin.internal" to allowed_outbound_hosts of [component.gateway])',
    ])
  },
)

test('a component with a private route that no gateway names is a warning', () => {
  expect(problems(APPLICATION, { key: 'k', tools: '' })).toEqual([
    'warning component echo: has a private route only and is not in tool_components: its tools are not listed ' +
      '(add "echo" to tool_components, unless only other components are to call it)',
  ])
})

test('a component without a trigger is not reachable', () => {
  const text = APPLICATION.replace(/\[\[trigger.http\]\]\nroute = \{ private[^[]*/, '')
  expect(problems(text)).toEqual([
    expect.stringContaining('problem tool_components: names "echo", which nothing can call'),
    expect.stringContaining('warning component echo: has no trigger'),
  ])
})

test('a limit that the gateway does not read is a problem, with what to write', () => {
  const limited = (more: string) =>
    problems(
      APPLICATION.replace(
        '"{{ tools }}"\n',
        `"{{ tools }}"\ncalls_per_minute = "{{ tools }}"\n${more}`,
      ),
    )
  expect(limited('')).toEqual([
    'problem calls_per_minute: the variable calls_per_minute of gateway has no effect: the gateway reads it in call_settings (set call_settings = "calls_per_minute={{ tools }}" in [component.gateway.variables] instead)',
  ])
  expect(limited('call_settings = "audit=on"\n')).toEqual([
    expect.stringContaining('add "calls_per_minute={{ tools }}" to call_settings'),
  ])
})

test('a variable with an earlier name is reported with the new one, and once when the application starts', () => {
  const text = APPLICATION.replace(
    'tool_components =',
    'code_limits = "calls=5"\ntool_components =',
  )
  const line = expect.stringMatching(
    /code_limits of gateway is called program_limits now.*set program_limits/,
  ) as string
  expect(problems(text)).toContainEqual(line)
  const atStart = problemsAtStart(parseManifest(text, '/nowhere/spin.toml'), { key: 'k' })
  expect(atStart.map(({ message, remedy }) => `${message} (${remedy})`)).toEqual([line])
  expect(problems(text.replace('calls=5', ''))).not.toContainEqual(line)
})
