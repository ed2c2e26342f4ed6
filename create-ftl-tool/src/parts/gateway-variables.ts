/** Variables of the gateway, in the order of `spin.toml`: the manifest of this repository, new applications, `ftl doctor --fix` and docs/variables.md have them from here. */
import type { VariableSpec } from '../template.ts'
import { secret, variable } from './variable-spec.ts'

type Variables = Readonly<Record<string, VariableSpec>>

/** Of a list of tool components. */
export const toolComponents = (names: string): VariableSpec =>
  variable(
    'Tool components, comma-separated or as a JSON array; `echo@basics` is a member of a group of tools; if two have a tool of the same name, the first keeps the plain name (docs/deploying.md#groups-of-tools)',
    names,
  )

export const GATEWAY_VARIABLES: Variables = {
  bridge_url: variable(
    'Public URL of the WebSocket bridge, or `:port` on the host that the client called; `off` if there is no bridge; empty = `:8001`',
  ),
  auth_issuers: variable(
    'Authorization servers whose access tokens are accepted: addresses, comma-separated, or a JSON array; their hosts must be in `allowed_outbound_hosts` of the gateway (docs/authentication.md); empty = none',
  ),
  auth_host: variable(
    'Scheme, host and port from which the gateway may request the metadata and keys of an authorization server: part of its `allowed_outbound_hosts`',
    'https://auth.invalid',
  ),
  auth_audience: variable(
    'Address of this server that tokens must be issued for, such as `https://gateway.example/mcp`; empty = derived from the request, on this machine and for a host in `allowed_hosts`',
  ),
  auth_scopes: variable('Scopes that every request needs, separated by spaces; empty = none'),
  auth_algorithms: variable(
    'Allowed signature algorithms, such as `RS256` or `ES256 EdDSA`; empty = all that docs/authentication.md lists',
  ),
  auth_leeway_ms: variable(
    'Milliseconds by which the clock of an authorization server may differ; at most 300000',
    '30000',
  ),
  policy: variable(
    'What authenticated callers may do: `signed-in`, which permits everything, or JSON with rules (docs/authorization.md); empty = nothing is permitted',
  ),
  auth_groups_claim: variable(
    'Claim of a token that names the groups of its user, for rules of the policy',
    'groups',
  ),
  auth_deny: variable(
    'Refused users, clients and tokens, comma-separated: `name:ada@example.com`, `sub:` with the id of the user, `client:app`, `jti:1`, `principal:key:ci` or `token:` with a SHA-256; empty = none',
  ),
  api_keys: secret(
    'API keys as a JSON array of digests, as `ftl key new` prints it (docs/authentication.md#api-keys-for-programs); empty = none',
  ),
  trust_forwarded_user: variable(
    '`true` if a proxy in front authenticates users and sends `x-forwarded-user` and `x-forwarded-user-secret`: then only its owner can access a job; `without-secret` if only the proxy can reach the gateway',
    'false',
  ),
  forwarded_user_secret: secret(
    'What the proxy sends in `x-forwarded-user-secret`: at least 16 characters; empty = none',
  ),
  tool_pins: variable(
    'Content of `ftl.lock`: what components publish otherwise is not served; `ftl up` and `ftl start` set it (docs/pinning.md); empty = nothing is pinned',
  ),
  code_component: variable(
    'Component whose tool `run_code` runs programs of models (docs/program-runs.md)',
    'code',
  ),
  saved_programs: variable(
    'Components whose tools are saved programs, separated by spaces: their programs run with the rights of the caller (docs/programs.md#save-a-program-as-a-tool); empty = none',
  ),
  program_limits: variable(
    'Limits of programs, and which of their runs can be continued (docs/program-runs.md#settings); empty = `calls=100; timeout_ms=300000; keep_ms=604800000; journal=auto`',
  ),
  code_limits: variable('Earlier name of `program_limits`, read if that is empty'),
  link_ttl_ms: variable(
    "Milliseconds for which a link to a file or a stream of a user's job is valid without a token",
    '86400000',
  ),
  stream_start: variable(
    'Which clients get `stream/start` for a job: `plain` (clients without MCP headers), `always` or `never`',
    'plain',
  ),
  discovery_timeout_ms: variable(
    'Timeout in milliseconds for a component to list its tools; empty = 2000, and 10000 the first time',
  ),
  call_timeout_ms: variable('Timeout of a tool call in milliseconds', '30000'),
  wait_limit_ms: variable(
    'Milliseconds that a call waits for a job before it returns a handle',
    '50000',
  ),
  stream_limit_ms: variable(
    'Milliseconds that a call with progress reports waits for a job; must be less than `--request-timeout-ms` of the host',
    '540000',
  ),
  allowed_origins: variable(
    'Origins of web pages that may call the gateway, comma-separated: `https://app.example`, `https://*.example.com` or `*`; pages of this machine are always allowed; empty = none',
  ),
  allowed_hosts: variable(
    'Host names of the gateway, comma-separated: `gateway.example`, `gateway.example:8443`, `*.example.com` or `*`; `localhost` and IP addresses are always allowed; empty = none',
  ),
  catalog_ttl_ms: variable(
    'Milliseconds that the list of tools is cached; 0 queries the components every time',
    '5000',
  ),
  list_page_size: variable('Entries per page of a list', '1000'),
  tools_mode: variable(
    'Whether clients get `search_tools`, `describe_tools` and `use_tool` instead of all tools: `auto` (if the list exceeds `list_budget_tokens`), `on` or `off` (docs/many-tools.md)',
    'auto',
  ),
  list_budget_tokens: variable(
    'Tokens of the longest list of tools that clients get in full, counted as 4 characters each',
    '8000',
  ),
  always_visible: variable(
    'Tools that every list has, separated by spaces: names or `component/name`, `*` matches any text; empty = none',
  ),
  list_changes: variable(
    'Whether clients that listen are notified of changed lists: `on` or `off` (docs/clients.md)',
    'off',
  ),
  request_state_key: secret(
    'Seals the state of requests for client input, and on Spin the entries that the gateway stores: at least 16 characters, preferably 32 random ones; empty = a random key, stored in the key-value store',
  ),
  request_state_ttl_ms: variable('Milliseconds until a request for client input expires', '600000'),
  calls_per_minute: variable(
    'Calls of tools that one caller may make per minute, coarsely counted on any host (docs/rate-limits.md#limit-calls-jobs-and-tokens-in-the-application); empty = no limit',
  ),
  jobs_per_day: variable(
    'Jobs that one caller may start per day (UTC), coarsely counted; empty = no limit',
  ),
  job_ttl_ms: variable(
    'Milliseconds for which a job is kept at most, also if its component asks for more; empty = 604800000 (7 days)',
  ),
  store_bytes: variable(
    'Bytes that jobs and programs may keep in the store of the gateway, all together (docs/jobs.md#shares-of-the-store); empty = half of `--max-store-bytes`, on Spin 128 MiB',
  ),
  audit: variable(
    '`on` writes a line of JSON for each call and each decision; `--audit-log` sets `host`, which is for the embedded host alone (docs/audit.md); empty = `off`',
  ),
  audit_arguments: variable(
    '`true` writes the arguments of calls into the audit log, without what schemas mark as secret',
    'false',
  ),
}
