/** Which interfaces the host offers a component. */

/** Of WASI 0.2; its releases 0.2.0 to 0.2.x differ in what they add only. */
const WASI: Readonly<Record<string, readonly string[]>> = {
  cli: [
    ...['environment', 'exit', 'stdin', 'stdout', 'stderr'],
    ...['terminal-input', 'terminal-output'],
    ...['terminal-stdin', 'terminal-stdout', 'terminal-stderr'],
  ],
  clocks: ['monotonic-clock', 'wall-clock'],
  filesystem: ['types', 'preopens'],
  http: ['types', 'outgoing-handler'],
  io: ['error', 'poll', 'streams'],
  random: ['random', 'insecure', 'insecure-seed'],
  sockets: [
    ...['network', 'instance-network', 'ip-name-lookup'],
    ...['tcp', 'tcp-create-socket', 'udp', 'udp-create-socket'],
  ],
}

const WASI_INTERFACES = Object.entries(WASI).flatMap(([name, parts]) =>
  parts.map((part) => `wasi:${name}/${part}`),
)

const OTHERS = ['fermyon:spin/key-value@2.0.0', 'fermyon:spin/variables@2.0.0']

/** An interface's name without its version: the key of the host's functions. */
export const withoutVersion = (name: string): string => name.replace(/@.*$/, '')

/** @param name as a component imports it, with its version. */
export function isOffered(name: string): boolean {
  const [, wasi = ''] = /^(wasi:.*)@0\.2\.\d+$/.exec(name) ?? []
  return WASI_INTERFACES.includes(wasi) || OTHERS.includes(name)
}

/** Keys of the host's functions, see {@link withoutVersion}. */
export const OFFERED_INTERFACES: readonly string[] = [
  ...WASI_INTERFACES,
  ...OTHERS.map(withoutVersion),
]
