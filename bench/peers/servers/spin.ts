/** This gateway on a Spin that somebody else has started. */
import { type Peer, Skipped } from '../peer.ts'

export function spin(url: string | undefined): Peer {
  return {
    name: 'spin',
    ownTool: true,
    about:
      'ours on a Spin with bench/fixtures/spin.toml, given by `--spin-url`; tools are components',
    more: 'as ours',
    noHungBackend: 'its application has no backend that hangs',
    install() {
      if (url === undefined) return Promise.reject(new Skipped('no --spin-url was given'))
      return Promise.resolve('of the given address')
    },
    start: () =>
      Promise.resolve({
        url: `${url}/mcp`,
        pid: 0,
        check: () => undefined,
        stop: () => Promise.resolve(),
      }),
  }
}
