import { readFile } from 'node:fs/promises'
import { Command, Option } from 'commander'
import { CommandFailure } from '../terminal/failure.ts'
import { publishedPins } from '../pinning/published-pins.ts'
import { builtFile, describeComponent, type Publishable } from '../publish/describe-component.ts'
import { serverJson } from '../publish/server-json.ts'
import { type PublishSettings, publishSettings } from '../publish/settings.ts'
import { reachLines } from '../registry/rights-in-words.ts'
import { type OciReference, parseReference } from '../registry/oci-client.ts'
import {
  fingerprintOf,
  type PackageSignature,
  signPackage,
} from '../registry/publisher-signature.ts'
import { buildAll } from '../foreign/build-application.ts'
import { type Application, loadApplication } from '../application/load-application.ts'
import { buildReporter, line, paint, step } from '../terminal/ui.ts'
import { variableOption } from './host-options.ts'
import { fromOption } from './options.ts'
import { toNpm, toOci, writeOut } from './publish-places.ts'

const EXAMPLES = `
Examples:
  ftl publish weather --npm --dry-run                   show what would be published
  ftl publish weather --npm                             a tarball for npm publish
  ftl publish weather --oci ghcr.io/acme/weather:1.2.0  push to an OCI registry
  ftl publish weather --npm --sign publisher.pem        with your signature`

interface PublishFlags {
  from: string
  npm?: boolean
  oci?: string
  name?: string
  packageVersion?: string
  mcpName?: string
  url?: string
  sign?: string
  out: string
  variable: Record<string, string>
  dryRun?: boolean
  replace?: boolean
  test: boolean
}

export function publishCommand(): Command {
  return new Command('publish')
    .description('Make a component a package that `ftl add` reads, and push it to a registry')
    .argument('<component>', 'id in spin.toml')
    .addOption(fromOption())
    .option('--npm', 'write a tarball for `npm publish`')
    .option(
      '--oci <reference>',
      'push to `HOST/NAME:TAG` of an OCI registry; without a tag, it is the version',
    )
    .option(
      '--name <name>',
      "name of the package, such as `@acme/weather` (`name` of the table, or the component's id)",
    )
    .option(
      '--package-version <version>',
      'version of the package (`version` of the table, or of `[application]`)',
    )
    .option('--sign <file>', 'sign with this private key, which `ftl key signing` makes')
    .option(
      '--mcp-name <name>',
      'name at the MCP registry, such as `io.github.acme/weather`; writes `server.json`',
    )
    .option('--url <url>', 'address of an MCP endpoint with these tools, for `server.json`')
    .option('--out <folder>', 'folder of the written files', 'dist/publish')
    .addOption(variableOption())
    .addOption(
      new Option('--dry-run', 'build and test, write no package and send nothing; show what it is'),
    )
    .option('--replace', 'replace a tag that has another content')
    .option('--no-test', 'leave out `ftl test`')
    .addHelpText('after', EXAMPLES)
    .action(publish)
}

async function publish(id: string, flags: PublishFlags): Promise<void> {
  if (!flags.npm && flags.oci === undefined)
    throw new CommandFailure('choose where to publish: --npm, --oci HOST/NAME:TAG, or both')
  const application = await loadApplication(flags.from, [id])
  const { manifest } = application
  const component = manifest.components.get(id)
  if (!component) throw new CommandFailure(`spin.toml has no component "${id}"`)
  const settings = publishSettings(component, manifest.application, {
    name: flags.name,
    version: flags.packageVersion,
    mcpName: flags.mcpName,
  })
  const { mcpName } = settings
  if (flags.url !== undefined && mcpName === undefined)
    throw new CommandFailure('--url is for server.json, which needs --mcp-name')
  const reference = flags.oci === undefined ? undefined : ociReference(flags.oci, settings.version)
  const key = flags.sign === undefined ? undefined : await readKey(flags.sign)

  const packed = await prepare(application, id, settings, flags)
  if (!packed) return
  const signature = key === undefined ? undefined : signPackage(packed.about, key)
  show(packed, settings, signature)
  if (mcpName !== undefined) {
    const places = {
      isOnNpm: flags.npm === true,
      oci: reference && `${reference.host}/${reference.repository}:${reference.reference}`,
      remote: flags.url,
    }
    const text = serverJson(packed.about, { ...settings, mcpName }, places)
    await writeOut('server.json', Buffer.from(`${JSON.stringify(text, undefined, 2)}\n`), flags)
  }
  const signed = { ...packed, settings, signature }
  if (flags.npm) await toNpm(signed, flags)
  if (reference) await toOci(signed, reference, flags)
}

/** @throws {CommandFailure} */
function ociReference(text: string, version: string): OciReference {
  const bare = text.replace(/^oci:\/\//, '')
  const hasTag = /:[^/]+$/.test(bare) || bare.includes('@')
  const reference = parseReference(hasTag ? bare : `${bare}:${version}`)
  if (reference.repository === reference.repository.toLowerCase()) return reference
  throw new CommandFailure(`--oci ${reference.repository} must be in lower case`)
}

async function readKey(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw new CommandFailure(`there is no key ${file}: make one with ftl key signing ${file}`)
  })
}

/** Builds, tests and reads the component. @returns `undefined` when it fails its test. */
async function prepare(
  application: Application,
  id: string,
  settings: PublishSettings,
  flags: PublishFlags,
): Promise<Publishable | undefined> {
  const { manifest, targets } = application
  if (targets.length > 0)
    await buildAll(application, { ids: [id], onEvent: buildReporter({ quietWhenCached: true }) })
  const wasm = await builtFile(manifest, id)
  // Before the component runs, so that mistakes in the manifest end the command at once.
  describeComponent(manifest, id, wasm, settings, [])
  const asking = step(`asking ${id} for its tools`)
  const component = { name: id, place: id }
  const served = { variables: flags.variable }
  const { tools = {} } = await publishedPins(application, component, served)
  const names = Object.keys(tools)
  asking(`${id} has ${names.length === 1 ? 'one tool' : `${names.length} tools`}`)
  if (flags.test && !(await passes(id, flags))) return undefined
  return { about: describeComponent(manifest, id, wasm, settings, names), wasm }
}

async function passes(id: string, { from, variable }: PublishFlags): Promise<boolean> {
  const { testCommand } = await import('./test.ts')
  const variables = Object.entries(variable).flatMap(([name, value]) => [
    '--variable',
    `${name}=${value}`,
  ])
  line('')
  await testCommand().parseAsync([id, '--from', from, ...variables], { from: 'user' })
  line('')
  if (process.exitCode !== 1) return true
  line(
    'The component fails its test, so it was not published. --no-test publishes it all the same.',
  )
  return false
}

function show(
  { about, wasm }: Publishable,
  { mcpName }: PublishSettings,
  signature: PackageSignature | undefined,
): void {
  line(`${paint('bold', about.name)} ${about.version}`)
  line(`  component: ${(wasm.length / 1e6).toFixed(2)} MB, ${about.digest}`)
  line(`  tools: ${about.tools.join(', ') || 'none'}`)
  for (const each of reachLines(about.reach)) line(`  it ${each}`)
  if (mcpName !== undefined) line(`  at the MCP registry: ${mcpName}`)
  const signer = signature && `ed25519:${signature.publicKey}`
  line(signer === undefined ? '  not signed' : `  signed by ${signer} (${fingerprintOf(signer)})`)
}
