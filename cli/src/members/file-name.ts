import type { Manifest } from 'ftl-host'

/** Characters of the name of a Worker. */
const MOST_CHARACTERS = 63

/** The name of an application as a name of a file and of a Worker: it may be any text in the manifest. */
export function fileName({ application }: Pick<Manifest, 'application'>): string {
  const name = application.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return name.replaceAll(/^-+|-+$/g, '').slice(0, MOST_CHARACTERS) || 'application'
}
