/** `ftl auth grants` and `ftl auth revoke`: what users have allowed to which clients. */
import { dirname, join, resolve } from 'node:path'
import { statSync } from 'node:fs'
import { Command, Option } from 'commander'
import {
  askOperator,
  type ListedGrant,
  type ListedUser,
  type OperatorServer,
} from '../auth-server/ask-operator.ts'
import { settingIn } from '../auth-server/settings-file.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { line, lineJson, paint } from '../terminal/ui.ts'
import { visible } from '../terminal/visible-text.ts'
import { fromOption } from './options.ts'

const GRANTS = `
Examples:
  ftl auth grants                           clients that act for users, with their ids
  ftl auth grants --user ada --json         those of one user, for a program`

const REVOKE = `
Examples:
  ftl auth revoke ada                       end all sign-ins of a user
  ftl auth revoke ada --client 3f2a90…      end those of one client, by its id in "ftl auth grants"

Access tokens that were issued stay valid for 15 minutes at most; auth_deny of the gateway refuses a user at once.`

const urlOption = () =>
  new Option('--url <address>', 'where the server is reached; default auth_server_url of `.env`')

export function grantsCommand(): Command {
  return new Command('grants')
    .description('List the clients that users have allowed, from the running server')
    .option('--user <user>', 'only this user: the name, or the `sub` of tokens')
    .option('--json', 'print the users and their clients as JSON')
    .addOption(urlOption())
    .addOption(fromOption())
    .addHelpText('after', GRANTS)
    .action(grants)
}

export function revokeCommand(): Command {
  return new Command('revoke')
    .description('End the sign-ins of a user, or those of one client for this user')
    .argument('<user>', 'the `sub` that "ftl auth grants" shows')
    .option('--client <id>', 'only this client, by the id that "ftl auth grants" shows')
    .addOption(urlOption())
    .addOption(fromOption())
    .addHelpText('after', REVOKE)
    .action(revoke)
}

interface ServerFlags {
  url?: string
  from: string
}

async function grants({
  user,
  json = false,
  ...flags
}: ServerFlags & { user?: string; json?: boolean }): Promise<void> {
  const answer = await askOperator(serverOf(flags), { user })
  const users = (answer['users'] as ListedUser[]).filter((each) => each.grants.length > 0)
  if (json) return lineJson({ users, isWhole: answer['isWhole'] })
  if (users.length === 0) line('No user has allowed a client.')
  for (const each of users) show(each)
  if (answer['isWhole'] === false)
    line('\nThere are more users than an answer has: name one with --user.')
}

function show({ sub, name, groups, grants: allowed }: ListedUser): void {
  const known = name === sub ? '' : `  ${visible(name)}`
  const of = groups.length > 0 ? `  ${paint('dim', visible(groups.join(', ')))}` : ''
  line(`${paint('bold', visible(sub))}${known}${of}`)
  for (const grant of allowed) {
    line(`  ${titleOf(grant)}  allowed ${dayOf(grant.created)}, last used ${dayOf(grant.used)}`)
    line(`    id ${grant.client}`)
    for (const { scopes, resource, until } of grant.signIns)
      line(
        `    ${visible(resource)}: ${visible(scopes.join(', ')) || 'no scopes'}, until ${dayOf(until)}`,
      )
  }
}

async function revoke(
  user: string,
  { client, ...flags }: ServerFlags & { client?: string },
): Promise<void> {
  const answer = await askOperator(serverOf(flags), { user, client, revoke: true })
  const removed = answer['removed'] as Pick<ListedGrant, 'client' | 'name' | 'place'>[]
  if (removed.length === 0)
    throw new CommandFailure(
      `${user} has allowed no such client; "ftl auth grants" lists users and clients`,
    )
  for (const grant of removed) line(`Removed ${titleOf(grant)}`)
  line('Access tokens that were issued stay valid for 15 minutes at most.')
}

const titleOf = ({ name, place }: Pick<ListedGrant, 'name' | 'place'>) =>
  `${visible(name) || 'a client without a name'} (${visible(place)})`

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** @throws {CommandFailure} if a setting is missing. */
function serverOf({ url, from }: ServerFlags): OperatorServer {
  const file = join(folderOf(from), '.env')
  const of = (name: string) =>
    process.env[`SPIN_VARIABLE_${name.toUpperCase()}`] ?? settingIn(file, name)
  const address = url ?? of('auth_server_url')
  const key = of('auth_server_key')
  if (address === undefined || key === undefined)
    throw new CommandFailure(
      `${file} must have auth_server_url and auth_server_key, which "ftl auth init" writes`,
    )
  if (!URL.canParse(address)) throw new CommandFailure(`${address} is not an address`)
  return { url: new URL(address).origin, key }
}

function folderOf(from: string): string {
  const path = resolve(from)
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false ? dirname(path) : path
}
