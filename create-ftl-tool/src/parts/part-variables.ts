/** Variables of the components that come with ftl besides the gateway. */
import type { VariableSpec } from '../template.ts'
import { GATEWAY_VARIABLES } from './gateway-variables.ts'
import { secret, variable } from './variable-spec.ts'

type Variables = Readonly<Record<string, VariableSpec>>

export const PAGE_VARIABLES: Variables = {
  auth_client_id: variable(
    'Client id of the page at the authorization server (a public client); with several servers a JSON object, by issuer; empty = the page registers itself',
  ),
  auth_page_origins: variable(
    'Further origins of the authorization servers that the page may request, such as that of the token endpoint, comma-separated; empty = none',
  ),
  page_servers: variable(
    'Other MCP servers that the workbench of the page may connect to: origins, `https:` for every https address, or `none`; empty = those on this machine, if the page is opened on this machine',
  ),
}

export const COMFYUI_VARIABLES: Variables = {
  comfyui_url: variable(
    'URL of the ComfyUI server: scheme, host and port',
    'http://127.0.0.1:8188',
  ),
  comfyui_path: variable(
    'Path under which a proxy serves ComfyUI, such as `/comfyui`; empty = none',
  ),
  comfyui_auth: secret(
    'Credentials for the server of `comfyui_url`: `Bearer abc`, `Basic dXNlcjpwYXNz`, or a header such as `X-API-Key: abc` (docs/comfyui.md#connect-a-comfyui-server-behind-a-proxy); empty = none',
  ),
  image_hosts: variable(
    'Hosts from which images may be fetched, comma-separated; they must also be in `allowed_outbound_hosts` of the components; empty = none',
  ),
  inline_images: variable(
    'Whether results contain the images, strongly compressed, unless the call says otherwise: `true`, `false`, or `auto`, which depends on the client (docs/comfyui.md#show-images-to-the-model)',
    'auto',
  ),
  comfyui_client_id: variable(
    'Client id that the bridge uses at ComfyUI, for live previews; must be the same here and at the bridge; empty = none',
  ),
  comfyui_api_key: secret(
    'API key of a Comfy account, for workflows with paid API nodes; sent with every prompt (docs/comfyui.md#use-paid-api-nodes); empty = none',
  ),
  comfyui_run_workflow: variable(
    '`true` offers the tool `run_workflow`, which runs any workflow that a client sends (docs/comfyui.md#upload-images-find-models-and-nodes)',
    'false',
  ),
  upload_max_bytes: variable(
    'Bytes of the largest file that `POST /uploads` takes (docs/comfyui.md#send-large-files); ComfyUI itself takes 100 MiB unless it is started with `--max-upload-size`',
    '100000000',
  ),
  comfyui_free_memory: variable(
    '`true` offers the tool `free_memory`, which unloads the models of all ComfyUI servers',
    'false',
  ),
}

export const REMOTE_VARIABLES: Variables = {
  remote_servers: secret(
    'MCP servers as JSON; their hosts must also be in `allowed_outbound_hosts` of the component (docs/remote.md); empty = none',
  ),
  remote_key: secret(
    'Encrypts the tokens of users who sign in at servers of `remote_servers`: at least 32 random characters; another key signs all of them out (docs/remote.md#an-account-for-each-user); empty = no such servers',
  ),
  remote_address: variable(
    'Address of this gateway in a browser, such as `https://gateway.example`, for those sign-ins; empty = `auth_audience` without `/mcp`',
  ),
}

export const CHAT_VARIABLES: Variables = {
  llm_url: variable(
    "Server of the chat's model: scheme, host and port, such as `https://api.openai.com` (docs/chat.md)",
    'http://127.0.0.1:11434',
  ),
  llm_path: variable('Path of the API of the model server; empty = `/v1`, or `/api` for Ollama'),
  llm_model: variable('Name of the model; empty = the first model of the server'),
  llm_models: variable(
    'Models that a chat request may choose, comma-separated; `*` for any; empty = only `llm_model`',
  ),
  llm_api_key: secret('API key of the model server, if it requires one; empty = none'),
  llm_api: variable(
    'API of the model server: `openai`, `ollama`, or `auto` (detected from `llm_url`)',
    'auto',
  ),
  chat_max_steps: variable(
    'How many times the model may call tools for one answer; at most 50',
    '8',
  ),
  chat_tokens_per_day: variable(
    'Tokens of the model that one caller of the chat may use per day (UTC), coarsely counted (docs/rate-limits.md); empty = no limit',
  ),
}

/** No manifest of this repository has them: users add the component. */
export const AUTH_VARIABLES: Variables = {
  auth_server_url: variable(
    'Address of this server without a path, such as `https://gateway.example`: the issuer of its tokens (docs/auth-server.md)',
  ),
  auth_server_key: secret(
    'What the authorization server seals with: at least 32 characters, as `ftl auth init` makes them; a new one ends all sign-ins',
  ),
  auth_users: secret(
    'Users with a pass phrase, as a JSON array of the entries that `ftl auth user` prints; empty = none',
  ),
  auth_upstream: variable(
    'Server whose users sign in here: the issuer of an OpenID provider, `github`, or `github:https://ghe.example`; empty = none (docs/auth-server.md#users-of-another-server)',
  ),
  auth_upstream_client_id: variable('Client id of this server at `auth_upstream`; empty = none'),
  auth_upstream_client_secret: secret('Secret of this client; empty = a public client'),
  auth_upstream_users: variable(
    'Who may sign in with `auth_upstream`, comma-separated or as a JSON array: `email:ada@example.com`, `domain:`, `group:`, `sub:`; at GitHub `login:`, `org:`, `team:`; `*` = all; empty = no user',
  ),
  auth_upstream_scopes: variable(
    'Scopes that are asked for at `auth_upstream`, separated by spaces; empty = `openid profile email`, at GitHub `read:org`',
  ),
  auth_upstream_groups_claim: variable(
    'Claim of the OpenID provider that names the groups of a user; a claim inside another one with a dot',
    'groups',
  ),
  auth_server_scopes: variable(
    'Scopes that clients may ask for besides `auth_scopes`, separated by spaces; empty = none',
  ),
  auth_client_hosts: variable(
    'Hosts and schemes that clients may send their users back to, comma-separated: `claude.ai, localhost, cursor:`; empty = all',
  ),
}

/** All but `tool_components`, whose default differs. */
export const ALL_VARIABLES: Variables = {
  ...GATEWAY_VARIABLES,
  ...PAGE_VARIABLES,
  ...COMFYUI_VARIABLES,
  ...REMOTE_VARIABLES,
  ...CHAT_VARIABLES,
}
