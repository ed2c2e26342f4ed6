import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { Command, InvalidArgumentError, Option } from 'commander'
import { CommandFailure } from '../terminal/failure.ts'
import { fingerprintOf, newKeyPair } from '../registry/publisher-signature.ts'
import { line, lineJson, paint } from '../terminal/ui.ts'

const EXAMPLES = `
Examples:
  ftl key new                           a key with the name "default"
  ftl key new ci --scope tools          a key of the program "ci", with a scope
  ftl key new ci --json                 both parts as JSON, for a program
  ftl key signing publisher.pem         a key that signs packages of ftl publish`

interface NewKeyFlags {
  scope: string[]
  json?: boolean
}

/** `ftl key`: keys of programs that call the gateway. */
export function keyCommand(): Command {
  return new Command('key')
    .description('Create API keys for programs, and keys that sign packages')
    .addHelpText('after', EXAMPLES)
    .addCommand(newKeyCommand())
    .addCommand(signingKeyCommand())
}

function newKeyCommand(): Command {
  return new Command('new')
    .description('Create an API key, and print what to store for the gateway')
    .argument(
      '[name]',
      'name of the program: it owns the jobs that it starts',
      parseName,
      'default',
    )
    .addOption(
      new Option('--scope <scope>', 'a scope of the key; repeatable')
        .default([])
        .argParser((text: string, before: string[] = []) => [...before, parseScope(text)]),
    )
    .option('--json', 'print the key and its entry as JSON')
    .addHelpText('after', EXAMPLES)
    .action((principal: string, { scope, json = false }: NewKeyFlags) => {
      const { key, entry } = createKey(principal, scope)
      if (json) return lineJson({ key, entry })
      line(`${paint('bold', 'Key')}, for the client only; it is not shown again:\n`)
      line(`  ${key}\n`)
      line(`${paint('bold', 'Entry')}, for the variable api_keys of the gateway:\n`)
      line(`  [${JSON.stringify(entry)}]\n`)
      line(
        'Put the entry into a file, add further ones to its list, and start the gateway with it:\n',
      )
      line('  npx ftl up --variable api_keys=@api-keys.txt --variable policy=signed-in\n')
      line(
        "Or put it into .env beside spin.toml, in single quotes: SPIN_VARIABLE_API_KEYS='[…]' and SPIN_VARIABLE_POLICY=signed-in.",
      )
      line(
        'Without a policy, the gateway permits nothing. "signed-in" permits every tool to every key; docs/authorization.md ' +
          'describes rules for scopes and principals.',
      )
      line(
        'The client sends the key with every request: "npx ftl tools --token KEY", or FTL_TOKEN.',
      )
    })
}

function signingKeyCommand(): Command {
  return new Command('signing')
    .description('Create a key that signs packages, for `ftl publish --sign`')
    .argument('<file>', 'file for the private key; it must not exist')
    .addHelpText(
      'after',
      `
Examples:
  ftl key signing publisher.pem         write the private key, and print the public one`,
    )
    .action(async (file: string) => {
      const { privateKey, publicKey } = newKeyPair()
      try {
        await writeFile(file, privateKey, { flag: 'wx', mode: 0o600 })
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        throw new CommandFailure(
          code === 'EEXIST'
            ? `${file} exists: a new key would replace that of your packages, so choose another name`
            : `${file} cannot be written: does its folder exist?`,
        )
      }
      const signer = `ed25519:${publicKey}`
      line(`Wrote ${file}: keep it secret, and out of version control`)
      line(`${paint('bold', 'Public key')}, for people who add your packages:\n`)
      line(`  ${signer}  (${fingerprintOf(signer)})\n`)
      line(`  npx ftl add npm:PACKAGE --key ${signer}`)
    })
}

export interface NewKey {
  key: string
  /** For `api_keys`: it does not reveal the key. */
  entry: { sha256: string; principal: string; scopes: string[] }
}

/** 32 random bytes: too many to guess, so a plain digest is enough. */
export function createKey(principal: string, scopes: string[]): NewKey {
  const key = `ftl_${randomBytes(32).toString('base64url')}`
  const sha256 = createHash('sha256').update(key).digest('hex')
  return { key, entry: { sha256, principal, scopes } }
}

function parseName(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/.test(text)) return text
  throw new InvalidArgumentError('give 1 to 64 letters, digits and . _ @ -')
}

function parseScope(text: string): string {
  if (/^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/.test(text)) return text
  throw new InvalidArgumentError('give one scope, without spaces and quotes')
}
