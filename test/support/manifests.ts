import { fileURLToPath } from 'node:url'

/** The application and the fixtures the tests run against; all are real components. */
export const MANIFESTS = {
  application: path('../../spin.toml'),
  fixtures: path('../fixtures/app/spin.toml'),
  host: path('../fixtures/host/spin.toml'),
  hostile: path('../fixtures/hostile/spin.toml'),
  fidelity: path('../fidelity/app/spin.toml'),
  conformance: path('../conformance/app/spin.toml'),
  mcp: path('../contract/mcp/app/spin.toml'),
  kit: path('../contract/kit/spin.toml'),
  rest: path('../rest/app/spin.toml'),
  chat: path('../chat/app/spin.toml'),
  web: path('../web/fixture/spin.toml'),
  search: path('../search/app/spin.toml'),
  sdk: path('../contract/sdk/app/spin.toml'),
  code: path('../code/app/spin.toml'),
  codePage: path('../web/code/app/spin.toml'),
  storyboard: path('../web/storyboard/app/spin.toml'),
  tasks: path('../tasks/app/spin.toml'),
  authServer: path('../auth-server/app/spin.toml'),
  providers: path('../providers/app/spin.toml'),
  crowd: path('../hostile/crowd/app/spin.toml'),
}

/** The application `mcp`, to be put into one component or script. It is not built as it is. */
export const PUT_TOGETHER = path('../contract/single/spin.toml')

/** Its gateway is built for it alone, so it has the name of this application. */
export const PUT_TOGETHER_NAME = 'ftl-mcp-contract'

function path(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}
