/** The lists of hosts and origins that may use a public component. */
import { defineSettings, type Parse, type SettingVariables } from '../settings.ts'

/** @throws {ConfigurationError} by every member, when its variable is unusable. */
export interface AccessLists {
  /**
   * `allowed_origins`: web pages that may use the component besides those of this machine and of its own address.
   *
   * Every page a user opens can send requests to any server that the user's machine can reach, including this component
   * on localhost or in an intranet. An entry is an origin (`https://app.example`), all origins below a domain
   * (`https://*.example.com`) or `*`, which lets every page send every request.
   *
   * @default none
   */
  readonly allowedOrigins: readonly string[]
  /**
   * `allowed_hosts`: host names of the component, besides localhost and IP addresses.
   *
   * This prevents DNS rebinding: an attacker's page can point its own domain at 127.0.0.1, so that the browser treats
   * the component as the page's own origin; only `Host` reveals this. An entry is `host`, `host:port`, `*.example.com`
   * or `*`, which is safe only behind a proxy that checks the name itself.
   *
   * @default none
   */
  readonly allowedHosts: readonly string[]
}

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/(\*\.)?[^\s/?#@*]+$/
const HOST = /^(\*\.)?([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d+)?$/

/** For components that have more settings than these. */
export const accessVariables: SettingVariables<AccessLists> = {
  allowedOrigins: [
    'allowed_origins',
    list(ORIGIN, 'an origin (scheme://host or scheme://host:port)'),
  ],
  allowedHosts: ['allowed_hosts', list(HOST, 'a host or host:port')],
}

/** The lists of a component, read when they are needed. */
export const createAccessLists = /* @__PURE__ */ defineSettings<AccessLists>(accessVariables)

/** A comma list in lower case; every entry but `*` has to have the form. */
function list(form: RegExp, words: string): Parse<readonly string[]> {
  return (text, refuse) => {
    const entries = text.toLowerCase().split(/\s*,\s*/)
    for (const entry of entries) {
      if (entry !== '' && entry !== '*' && !form.test(entry)) {
        refuse(`names ${JSON.stringify(entry)}, which is not ${words}`)
      }
    }
    return entries.filter((entry) => entry !== '')
  }
}
