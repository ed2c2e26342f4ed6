/** Where `ftl publish` puts a package: files beside the application, and an OCI registry. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Publishable } from '../publish/describe-component.ts'
import { npmPackage } from '../publish/npm-package.ts'
import { componentArtifact, signatureArtifact } from '../publish/oci-artifact.ts'
import { OciPush } from '../publish/oci-push.ts'
import type { PublishSettings } from '../publish/settings.ts'
import type { OciReference } from '../registry/oci-client.ts'
import { SIGNATURE_TYPE } from '../registry/oci-attached.ts'
import type { PackageSignature } from '../registry/publisher-signature.ts'
import { line, paint, step } from '../terminal/ui.ts'

export interface SignedPackage extends Publishable {
  settings: PublishSettings
  signature: PackageSignature | undefined
}

interface OutFlags {
  out: string
  dryRun?: boolean
}

/** @returns the path of the file. */
export async function writeOut(
  name: string,
  bytes: Uint8Array,
  { out, dryRun = false }: OutFlags,
): Promise<string> {
  const path = join(out, name)
  if (dryRun) {
    line(`Would write ${path}, ${bytes.length} bytes`)
    return path
  }
  await mkdir(out, { recursive: true })
  await writeFile(path, bytes)
  line(`Wrote ${path}`)
  return path
}

export async function toNpm(
  { settings, signature, ...packed }: SignedPackage,
  flags: OutFlags,
): Promise<void> {
  const { fileName, tarball, integrity, files } = npmPackage(packed, settings, signature)
  const path = await writeOut(fileName, tarball, flags)
  if (flags.dryRun)
    for (const [name, bytes] of files) line(paint('dim', `  ${name}, ${bytes.length} bytes`))
  line(`  integrity: ${integrity}`)
  const short = relative('.', path)
  // npm takes a path without ./ for the name of a repository.
  const place = short.startsWith('..') ? path : `./${short}`
  const access = packed.about.name.startsWith('@') ? ' --access public' : ''
  line(`Publish it with: npm publish ${place}${access}`)
  line(`Then it is added with: ftl add npm:${packed.about.name}`)
  line(`Without a registry: ftl add ${place}`)
}

export async function toOci(
  { settings, signature, ...packed }: SignedPackage,
  reference: OciReference,
  { dryRun = false, replace = false }: { dryRun?: boolean; replace?: boolean },
): Promise<void> {
  const artifact = componentArtifact(packed, settings)
  const attached = signature && signatureArtifact(artifact, signature)
  const where = `oci://${reference.host}/${reference.repository}`
  const pushing = new OciPush(reference)
  if (dryRun) {
    line(`Would push ${where}:${reference.reference}`)
    for (const { mediaType, digest, bytes } of [...artifact.blobs, ...(attached?.blobs ?? [])])
      line(paint('dim', `  ${digest} ${mediaType}, ${bytes.length} bytes`))
    line(`  manifest: ${artifact.digest}`)
    if (attached) line(`  signature: ${attached.digest}`)
    return
  }
  const { wasThere } = await pushing.push(artifact, { replace, onStep: step })
  if (attached) {
    const attaching = step('attaching the signature')
    await pushing.attach(attached, artifact, SIGNATURE_TYPE)
    attaching('signature: attached')
  }
  const what = `${where}:${reference.reference}`
  line(`${wasThere ? 'The registry has this already' : 'Pushed'}: ${what}`)
  line(`  digest: ${artifact.digest}`)
  line(`Add it with: ftl add ${what}`)
}
