/** What a page prints, with the folders, ports and addresses of this run. */

export interface Own {
  /** Folder of the packed packages. */
  packages: string
  /** By port of the guide, the one that is used instead. */
  ports: ReadonlyMap<number, number>
  /** What the page prints, and what is typed instead: addresses of stand-ins. @default none */
  replaced?: readonly (readonly [printed: string, own: string])[]
}

/** Where the guides say that the clone of the reader is. */
const CLONE = '/path/to/clone/dist/packages'

/** An address that counts as one for other machines, and that only this machine reaches. */
const EVERY_ADDRESS = ['0.0.0.0:', '[::ffff:127.0.0.1]:'] as const

export function adapted(text: string, { packages, ports, replaced = [] }: Own): string {
  let own = text
  for (const [printed, instead] of [[CLONE, packages], EVERY_ADDRESS, ...replaced] as const) {
    own = own.replaceAll(printed, instead)
  }
  for (const [port, instead] of ports) {
    own = own.replaceAll(new RegExp(`(:|-port )${port}\\b`, 'g'), `$1${instead}`)
  }
  return own.replaceAll(/listen\((\d+),/g, (whole, port: string) => {
    return whole.replace(port, String(ports.get(Number(port)) ?? port))
  })
}
