/** `ftl auth`: the authorization server of an application. */
import { join } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { type Part, PARTS } from 'create-ftl-tool'
import { loadApplication } from '../application/load-application.ts'
import { newUser } from '../auth-server/new-user.ts'
import { permitProblem } from '../auth-server/permitted.ts'
import { settingsFor, type UpstreamSettings } from '../auth-server/settings.ts'
import { addSettings, settingIn } from '../auth-server/settings-file.ts'
import { GITHUB, reachUpstream } from '../auth-server/upstream.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { line, lineJson, paint } from '../terminal/ui.ts'
import { addPartCommand } from './add-part.ts'
import { grantsCommand, revokeCommand } from './auth-grants.ts'
import { fromOption } from './options.ts'

const INIT = `
Examples:
  ftl auth init https://gateway.example     for clients such as claude.ai
  ftl auth init http://127.0.0.1:3000       to try it on this machine
  ftl auth init https://gateway.example --github --client-id ID --permit org:acme
  ftl auth init https://gateway.example --upstream https://id.example --client-id ID --permit domain:example.com

With --github or --upstream, users sign in there. Register this server as a client first, with the redirect address
https://gateway.example/auth/callback. FTL_UPSTREAM_SECRET: the secret of this client.`

/** `FTL_UPSTREAM_SECRET`: secret of the client that `ftl auth init --upstream` or `--github` names. @default a public client */
const UPSTREAM_SECRET = 'FTL_UPSTREAM_SECRET'

/** `FTL_PASS_PHRASE`: pass phrase for the user of `ftl auth user`. @default a new one, which is printed */
const PASS_PHRASE = 'FTL_PASS_PHRASE'

const USER = `
Examples:
  ftl auth user ada --group operators       a user with a new pass phrase
  FTL_PASS_PHRASE='…' ftl auth user ada     with a pass phrase of yours`

const SHORTEST = 12

/** `ftl auth`. */
export function authCommand(): Command {
  return new Command('auth')
    .description('Give an application an authorization server of its own')
    .addHelpText('after', INIT)
    .addCommand(initCommand())
    .addCommand(userCommand())
    .addCommand(grantsCommand())
    .addCommand(revokeCommand())
}

function initCommand(): Command {
  return new Command('init')
    .description(
      'Add the component `auth`, and write its settings and those of the gateway to `.env`',
    )
    .argument('<address>', 'address that clients use, without a path', parseOrigin)
    .option(
      '--user <name>',
      'name of the first user with a pass phrase; default "me", and none with --upstream or --github',
      parseName,
    )
    .addOption(
      new Option(
        '--upstream <issuer>',
        'users sign in at this OpenID provider, such as https://id.example',
      ).conflicts('github'),
    )
    .option('--github', 'users sign in at GitHub')
    .option('--client-id <id>', 'client id of this server there', parseClientId)
    .addOption(
      new Option(
        '--permit <entry>',
        'who may sign in: email:, domain:, group: or sub:, at GitHub login:, org: or team:; repeatable',
      )
        .default([])
        .argParser((text: string, before: string[] = []) => [...before, parseSetting(text)]),
    )
    .addOption(fromOption())
    .addHelpText('after', INIT)
    .action(init)
}

interface InitFlags {
  user?: string
  upstream?: string
  github?: boolean
  clientId?: string
  permit: string[]
  from: string
}

async function init(origin: string, flags: InitFlags): Promise<void> {
  const { from } = flags
  const { manifest } = await loadApplication(from, [], { withMissing: true })
  const part = PARTS.find(({ id }) => id === 'auth')
  if (!part) throw new CommandFailure('this version of ftl has no component auth')
  const file = join(manifest.folder, '.env')
  const before = settingIn(file, 'auth_server_url') ?? origin
  // The other settings contain the address, too.
  if (before !== origin)
    throw new CommandFailure(
      `${file} has the settings for ${before}. Replace this address there, also in auth_issuers, auth_audience and allowed_hosts, ` +
        'or remove these four lines and run this command again',
    )
  const upstream = await upstreamOf(origin, flags)
  const hosts = upstream?.hosts ?? []
  if (!manifest.components.has('auth')) addPartCommand(withHosts(part, hosts), from, true)
  else if (upstream && !manifest.variables.has('auth_upstream'))
    throw new CommandFailure(
      'spin.toml has a component auth without auth_upstream: run "ftl remove auth" and this command again',
    )
  const name = flags.user ?? (upstream ? undefined : 'me')
  const created = name === undefined ? undefined : newUser(name)
  const settings = settingsFor(origin, {
    ...(created && { user: created.entry }),
    ...(upstream && { upstream: upstream.settings }),
  })
  const { added, kept } = addSettings(file, settings)
  if (added.length > 0) line(`\nWrote to .env: ${added.join(', ')}`)
  if (kept.length > 0) line(`.env has these already, and they were not changed: ${kept.join(', ')}`)
  if (created && added.includes('auth_users')) {
    line(
      `\n${paint('bold', 'User and pass phrase')}; they are not shown again:\n\n  ${name}\n  ${created.passPhrase}`,
    )
  }
  if (upstream) tellUpstream(upstream, manifest.components.has('auth'))
  const { protocol, host } = new URL(origin)
  const up =
    protocol === 'http:'
      ? `npx ftl up --listen ${host}`
      : `npx ftl up --listen ADDRESS   behind a proxy that serves ${origin}`
  line(
    `\nNext:\n  npx ftl build\n  ${up}\n` +
      `  npx ftl login ${origin}/mcp\n` +
      'The policy "signed-in" permits every tool to every user; docs/authorization.md describes rules.\n' +
      `More: ${part.page}`,
  )
}

interface FoundUpstream {
  settings: UpstreamSettings
  hosts: string[]
}

/** @returns `undefined` if users have pass phrases. @throws {CommandFailure} */
async function upstreamOf(origin: string, flags: InitFlags): Promise<FoundUpstream | undefined> {
  const upstream = flags.github ? GITHUB : flags.upstream
  const { clientId, permit: permitted } = flags
  if (upstream === undefined) {
    if (clientId === undefined && permitted.length === 0) return undefined
    throw new CommandFailure('--client-id and --permit need --upstream or --github')
  }
  if (clientId === undefined)
    throw new CommandFailure(
      `register this server as a client at ${upstream} with the redirect address ${origin}/auth/callback, and give its id: --client-id ID, with the secret in ${UPSTREAM_SECRET}`,
    )
  const reached = await reachUpstream(upstream)
  if (typeof reached === 'string')
    throw new CommandFailure(`${upstream} cannot be used: ${reached}`)
  const problem = permitProblem(upstream, permitted)
  if (problem !== undefined) throw new CommandFailure(`--permit: ${problem}`)
  const secret = process.env[UPSTREAM_SECRET] ?? ''
  if (!PLAIN.test(secret))
    throw new CommandFailure(
      `${UPSTREAM_SECRET} must have no quotes, white space or letters beyond ASCII`,
    )
  return { settings: { upstream, clientId, secret, permitted }, ...reached }
}

function withHosts(part: Part, hosts: readonly string[]): Part {
  const components = part.components.map(({ spec, ...more }) => ({
    ...more,
    spec: { ...spec, allowedOutboundHosts: [...spec.allowedOutboundHosts, ...hosts] },
  }))
  return { ...part, components }
}

function tellUpstream({ settings, hosts }: FoundUpstream, isKnown: boolean): void {
  const { permitted, secret } = settings
  if (isKnown) line(`\nallowed_outbound_hosts of [component.auth] must have: ${hosts.join(', ')}`)
  if (permitted.length === 0)
    line('\nauth_upstream_users names no users yet, so no user can sign in: name them in .env.')
  if (secret === '')
    line(`\nWithout ${UPSTREAM_SECRET}, this server is a client without a secret there.`)
}

/** As the component takes it, and without quotes, which `.env` has around it. */
const PLAIN = /^[\x21\x23-\x26\x28-\x7e]{0,1000}$/

function parseClientId(text: string): string {
  if (PLAIN.test(text)) return text
  throw new InvalidArgumentError('give a text without quotes, white space and letters beyond ASCII')
}

function parseSetting(text: string): string {
  if (/^[^\p{C}'"]{0,1000}$/u.test(text)) return text
  throw new InvalidArgumentError('give a text without quotes and line breaks')
}

function userCommand(): Command {
  return new Command('user')
    .description('Create a user with a pass phrase, and print the entry for `auth_users`')
    .argument('<name>', 'name of the user', parseName)
    .addOption(
      new Option('--group <group>', 'a group of the user, for rules of the policy; repeatable')
        .default([])
        .argParser((text: string, before: string[] = []) => [...before, text]),
    )
    .option('--json', 'print the pass phrase and the entry as JSON')
    .addHelpText('after', USER)
    .action((name: string, { group, json = false }: { group: string[]; json?: boolean }) => {
      const given = process.env[PASS_PHRASE]
      if (given !== undefined && given.length < SHORTEST) {
        throw new CommandFailure(`${PASS_PHRASE} must have at least ${SHORTEST} characters`)
      }
      const { passPhrase, entry } = newUser(name, group, given)
      if (json) return lineJson({ ...(given === undefined && { passPhrase }), entry })
      if (given === undefined) {
        line(`${paint('bold', 'Pass phrase')}; it is not shown again:\n\n  ${passPhrase}\n`)
      }
      line(`${paint('bold', 'Entry')}, for the JSON array of the variable auth_users:\n`)
      line(`  ${JSON.stringify(entry)}`)
    })
}

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isLocal = /^(127\.0\.0\.1|localhost|\[::1\])$/.test(url?.hostname ?? '')
  if (url && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '') {
    if (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)) return url.origin
  }
  throw new InvalidArgumentError(
    'give the address without a path: https://gateway.example (http only on this machine)',
  )
}

function parseName(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/.test(text)) return text
  throw new InvalidArgumentError('give 1 to 64 letters, digits and . _ @ -')
}
