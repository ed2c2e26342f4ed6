/** An update goes forward: an old version of a package has a good signature, and faults that are known. */
import { CommandFailure } from '../terminal/failure.ts'
import type { Added } from './added-lock.ts'
import { compareVersions } from './versions.ts'

type Version = Pick<Added, 'version' | 'digest'>

/** What is wrong with the step from one version to the next; `undefined` when it is newer, or the same. */
function stepBack(before: Version | undefined, next: Version): string | undefined {
  // Files of this machine have no versions.
  if (!before || before.version === '' || next.version === '') return undefined
  const order = compareVersions(next.version, before.version)
  if (order === undefined) {
    if (before.digest === next.digest) return undefined
    return `goes from version ${before.version} to ${next.version}, and neither is known to be the newer one`
  }
  if (order < 0) return `goes back from version ${before.version} to ${next.version}`
  if (order > 0 || before.digest === next.digest) return undefined
  return `replaces version ${before.version} by another file that has the same version`
}

/** @throws {CommandFailure} unless the user has said that an older version is what they want. */
export function refuseStepBack(
  id: string,
  before: Version | undefined,
  next: Version,
  allowOlder: boolean,
): string | undefined {
  const back = stepBack(before, next)
  if (back === undefined || allowOlder) return back
  throw new CommandFailure(
    `"${id}" ${back}: nothing was changed. An old version may have faults that a newer one has mended. If this is what you want, ` +
      'add --allow-older.',
  )
}

/** Where a component comes from, without its version. */
function sourceOf(wanted: string): string {
  if (wanted.startsWith('npm:')) return wanted.replace(/(?<=.{5})@.*$/, '')
  if (wanted.startsWith('oci://')) return wanted.replace(/@sha256:.*$/, '').replace(/:[^/:]*$/, '')
  return 'a file'
}

/** @throws {CommandFailure} when a component of this name came from elsewhere: its values are not for another package. */
export function refuseOtherSource(
  id: string,
  before: Added | undefined,
  { wanted, name }: { wanted: string; name: string | undefined },
): void {
  if (!before) return
  const [was, is] = [sourceOf(before.wanted), sourceOf(wanted)]
  const isOther = before.name !== undefined && name !== undefined && before.name !== name
  if (was === is && !isOther) return
  const from = isOther ? `${was} as ${before.name}` : was
  const to = isOther ? `${is} as ${name}` : is
  throw new CommandFailure(
    `"${id}" was added from ${from}, and this is ${to}: nothing was changed. Choose another name with --name, or run ` +
      `"ftl remove ${id}" first.`,
  )
}
