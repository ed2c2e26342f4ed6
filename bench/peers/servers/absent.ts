/** Gateways that this command cannot install, and why. What registries have was looked up in November 2026. */
import { type Peer, Skipped } from '../peer.ts'

export const absent: readonly Peer[] = [
  cannot(
    'agentgateway',
    'it is not on crates.io, so `cargo install` cannot build it by name; its project publishes binaries and container images (PyPI has another program of this name)',
  ),
  cannot(
    'mcphub',
    'the npm registry that we asked had neither `@samanhappy/mcphub` nor `mcphub`, so it was never tried here; its project publishes container images',
  ),
  cannot('metamcp', 'it needs PostgreSQL, and the npm registry that we asked had no package of it'),
]

function cannot(name: string, reason: string): Peer {
  return {
    name,
    about: '',
    more: '',
    install: () => Promise.reject(new Skipped(reason)),
    start: () => Promise.reject(new Skipped(reason)),
  }
}
