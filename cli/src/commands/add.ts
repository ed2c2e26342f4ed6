import { dirname, resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { PARTS } from 'create-ftl-tool'
import type { Manifest } from 'ftl-host'
import { CommandFailure } from '../terminal/failure.ts'
import { acceptsRights } from '../registry/accept-rights.ts'
import { readAdded } from '../registry/added-lock.ts'
import {
  type AddOptions,
  type Candidate,
  commitCandidate,
  fetchCandidate,
  removeComponent,
} from '../registry/candidate.ts'
import type { RemovedPart } from '../new/remove-part.ts'
import { refuseWaitedFor } from '../registry/name-role.ts'
import { refuseTaken } from '../registry/taken-variables.ts'
import { type ExpectedIdentity, parseExpected } from '../registry/sigstore/expected-signer.ts'
import { rememberFiles } from '../registry/undo.ts'
import { loadApplication } from '../application/load-application.ts'
import { line, paint } from '../terminal/ui.ts'
import { visible } from '../terminal/visible-text.ts'
import { addOpenapiCommand } from './add-openapi.ts'
import { fromOption } from './options.ts'

const EXAMPLES = `
Examples:
  ftl add web                              the page; also: chat, comfyui, remote, code, auth
  ftl add openapi https://api.example.com/openapi.json   tools of an HTTP API
  ftl add npm:@acme/weather@^1.2.0         a package of an npm registry
  ftl add oci://ghcr.io/acme/weather:1.2   an artifact of an OCI registry
  ftl add dist/publish/acme-weather-1.2.0.tgz   an archive of ftl publish --npm
  ftl add ./weather.wasm --host https://api.example.com
  ftl add --update weather                 the newest version that fits`

interface AddFlags {
  from: string
  name?: string
  key: string[]
  host: string[]
  store: string[]
  variable: string[]
  requireSignature?: boolean
  identity: ExpectedIdentity[]
  trustedRoot?: string
  update?: boolean
  package?: string
  share: string[]
  allowOlder?: boolean
  yes?: boolean
  test: boolean
}

const collect = (value: string, before: string[] = []) => [...before, value]

const repeatable = (flags: string, text: string) =>
  new Option(flags, text).default([]).argParser(collect)

export function addCommand(): Command {
  return new Command('add')
    .description(
      'Add a part that comes with `ftl`, or a component of a registry or a file, after showing what it may reach',
    )
    .argument(
      '<source>',
      `${PARTS.map(({ id }) => id).join(', ')}; npm:PACKAGE[@range], oci://HOST/NAME:TAG, a .wasm or .tgz file, or with --update a name`,
    )
    .addOption(fromOption())
    .option('--name <name>', 'name of the component (from the package)')
    .option('--update', 'fetch a component again; `<source>` is its name')
    .option(
      '--package <name>',
      'expected name of the package, if the path in the OCI registry is different (the path)',
    )
    .option(
      '--allow-older',
      'take a version that is older than the one in `ftl.lock`, or another file of the same version',
    )
    .addOption(
      repeatable(
        '--share <variable>',
        'existing variable of the application that the component may also receive; repeatable',
      ),
    )
    .addOption(
      repeatable(
        '--key <key>',
        'public key of a publisher that you trust: `ed25519:…`; repeatable',
      ),
    )
    .option('--require-signature', 'take only a package that a trusted key or identity has signed')
    .addOption(
      new Option(
        '--identity <issuer,who>',
        'signer of Sigstore that you expect: issuer, and repository or subject; others are refused; repeatable',
      )
        .default([])
        .argParser((text: string, before: ExpectedIdentity[] = []) => [
          ...before,
          parseIdentity(text),
        ]),
    )
    .addOption(
      new Option('--trusted-root <file>', 'keys of Sigstore: a `TrustedRoot` in JSON').env(
        'FTL_TRUSTED_ROOT',
      ),
    )
    .addOption(
      repeatable(
        '--host <host>',
        'host that the component of a file may send requests to; repeatable',
      ),
    )
    .addOption(repeatable('--store <store>', 'store of the component of a file; repeatable'))
    .addOption(repeatable('--variable <name>', 'variable of the component of a file; repeatable'))
    .option(
      '-y, --yes',
      'add without asking; without a terminal, nothing is added without this option',
    )
    .option('--no-test', 'leave out `ftl test`')
    .addHelpText('after', EXAMPLES)
    .addCommand(addOpenapiCommand())
    .action(add)
}

async function add(source: string, flags: AddFlags): Promise<void> {
  const part = flags.update ? undefined : PARTS.find(({ id }) => id === source)
  if (part) {
    const { addPartCommand } = await import('./add-part.ts')
    return addPartCommand(part, resolve(flags.from))
  }
  const { manifest } = await loadApplication(flags.from)
  const { folder } = manifest
  refuseOtherName(manifest, 'add')
  const { wanted, name, packageName } = flags.update
    ? await earlier(folder, source)
    : { wanted: source, name: flags.name, packageName: flags.package }
  const { host: hosts, store: stores, variable: variables } = flags
  const options: AddOptions = {
    name,
    packageName,
    allowOlder: flags.allowOlder === true,
    keys: flags.key,
    requireSignature: flags.requireSignature === true,
    identities: flags.identity,
    trustedRoot: flags.trustedRoot,
    file: { hosts, stores, variables },
  }
  const isFile = !/^(npm:|oci:)|\.tgz$/.test(wanted)
  if (!isFile && hosts.length + stores.length + variables.length > 0) {
    throw new CommandFailure(
      '--host, --store and --variable are for a .wasm file: a package says itself what it wants',
    )
  }
  const candidate = await fetchCandidate(wanted, folder, options)
  show(candidate)
  if (flags.yes) {
    refuseWaitedFor(candidate.id, candidate.waiting, flags.name !== undefined)
    refuseTaken(candidate.id, candidate.taken, flags.share)
  } else if (!(await acceptsRights())) {
    line('Nothing was changed')
    process.exitCode = 1
    return
  }
  // Without --yes, the question has named each of them.
  const shared = flags.yes ? flags.share : candidate.taken.map(({ variable }) => variable)
  const undo = rememberFiles(folder, candidate.id)
  const { lines, variables: named } = await commitCandidate(folder, candidate, shared)
  line(`\nAdded to spin.toml:\n${lines.map((each) => `  ${each}`).join('\n')}`)
  if (named.length > 0)
    line(`\nGive values to: ${named.join(', ')} (--variable NAME=VALUE, or .env)`)
  if (flags.test) await test(candidate.id, flags.from, undo)
}

/** Only `spin.toml` is changed, so a manifest of another name would not be. */
function refuseOtherName({ folder, file }: Manifest, command: string): void {
  if (resolve(folder, 'spin.toml') !== file)
    throw new CommandFailure(`ftl ${command} needs a spin.toml with that name`)
}

async function earlier(folder: string, id: string) {
  const lock = await readAdded(folder)
  const entry = Object.hasOwn(lock, id) ? lock[id] : undefined
  if (entry) return { wanted: entry.wanted, name: id, packageName: entry.name }
  const known = Object.keys(lock).join(', ') || 'none'
  throw new CommandFailure(
    `--update needs the name of a component that was added; there are: ${known}`,
  )
}

function show({
  id,
  added,
  tools,
  checks,
  warnings,
  before,
  effects,
  news,
  taken,
  waiting,
  back,
}: Candidate): void {
  const { source, name, version, digest } = added
  line(`${paint('bold', id)} ${visible(version)} ${paint('dim', visible(source))}`)
  if (name !== undefined && name !== id) line(`  package: ${visible(name)}`)
  line(`  digest: ${digest}`)
  for (const check of checks) line(`  checked: ${visible(check)}`)
  for (const each of warnings) line(paint('yellow', `  warning: ${visible(each)}`))
  if (tools.length > 0) line(`  tools: ${tools.map(visible).join(', ')}`)
  const alarming = new Set([...taken.map(({ effect }) => effect), ...waiting])
  for (const each of effects) {
    const text = `  it ${visible(each)}`
    line(alarming.has(each) ? paint('yellow', text) : text)
  }
  if (!before) return
  if (back !== undefined) line(paint('yellow', `  it ${visible(back)}`))
  if (before.digest === digest) line('  it is the same file as before')
  for (const more of news)
    line(paint('yellow', `  new since ${visible(before.version || 'before')}: it ${visible(more)}`))
}

/** As `ftl test`. The application is as before when the component fails, or when the test is interrupted. */
async function test(id: string, from: string, undo: () => void): Promise<void> {
  const interrupted = () => {
    undo()
    process.exit(130)
  }
  process.once('SIGINT', interrupted)
  process.once('SIGTERM', interrupted)
  try {
    const { testCommand } = await import('./test.ts')
    line('')
    await testCommand().parseAsync([id, '--from', from], { from: 'user' })
  } catch (error) {
    undo()
    throw error
  } finally {
    process.off('SIGINT', interrupted)
    process.off('SIGTERM', interrupted)
  }
  if (process.exitCode !== 1) return
  undo()
  line(
    `\nThe component fails its test, so it was removed again: spin.toml, ftl.lock and added/ are as before. If it only ` +
      'needs a variable, add it with --no-test.',
  )
}

/** The issuer first, and then an address of a repository, or a subject: an email address or one of a workflow. */
function parseIdentity(text: string): ExpectedIdentity {
  const at = text.indexOf(',')
  const [issuer, who] = at < 0 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  const isRepository = /^https:\/\/[^/]+\/[^/@]+\/[^/@]+\/?$/.test(who)
  try {
    return parseExpected({ issuer, [isRepository ? 'repository' : 'subject']: who }, '--identity')
  } catch {
    throw new InvalidArgumentError(
      'give the issuer, a comma, and the repository or the subject: https://token.example,https://github.com/acme/tools',
    )
  }
}

function removedText(title: string, { components, left }: RemovedPart): string {
  const first = `Removed ${title} from the application: ${components.join(', ')}`
  if (left.length === 0) return first
  return `${first}\nTheir settings are still in ${left.join(', ')}: delete them if you no longer need them`
}

export function removeCommand(): Command {
  return new Command('remove')
    .description('Remove a part, or a component of `ftl new` or `ftl add`, from the application')
    .argument('<name>', `${PARTS.map(({ id }) => id).join(', ')}, or a component in spin.toml`)
    .addOption(fromOption())
    .addHelpText('after', '\nExamples:\n  ftl remove weather\n  ftl remove web')
    .action(async (name: string, { from }: { from: string }) => {
      // Its sources may be gone already.
      const { manifest } = await loadApplication(from, [], { withMissing: true })
      refuseOtherName(manifest, 'remove')
      const part = PARTS.find(({ id }) => id === name)
      if (part) {
        const { removePart } = await import('../new/remove-part.ts')
        const removed = removePart(manifest.file, part)
        if (removed) return line(removedText(part.title, removed))
      }
      const sources = await removeComponent(dirname(manifest.file), name)
      line(`Removed ${name} from the application`)
      if (sources !== undefined)
        line(`Its sources are still in ${sources}: delete the folder if you no longer need them`)
    })
}
