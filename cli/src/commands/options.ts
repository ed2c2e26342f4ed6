/** Options several commands share, under the names `spin up` has for them. */
import { InvalidArgumentError, Option } from 'commander'

export const fromOption = () =>
  new Option('-f, --from <path>', '`spin.toml`, or its folder').default('.')

export const listenOption = () =>
  new Option('--listen <address>', 'address of the gateway; port 0 uses a free port')
    .env('SPIN_HTTP_LISTEN_ADDR')
    .default('127.0.0.1:3000')
    .argParser(parseAddress)

export function parseAddress(text: string): string {
  const address = /^\d+$/.test(text) ? `127.0.0.1:${text}` : text
  const port = Number(/:(\d+)$/.exec(address)?.[1])
  if (!Number.isInteger(port) || port > 65_535) {
    throw new InvalidArgumentError('give host:port, for example 127.0.0.1:3000')
  }
  return address
}

export function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new InvalidArgumentError('give a port number from 0 to 65535')
  }
  return port
}

export function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (!(seconds >= 0 && seconds <= 3600)) {
    throw new InvalidArgumentError('give a number of seconds from 0 to 3600')
  }
  return seconds
}
