/** What a user has allowed, to be read and revoked. */
import type { Grant, User } from '../grants/book.ts'
import { PATHS } from '../metadata.ts'
import type { Ways } from '../users/ways.ts'
import { html, type Markup, page, type PageOptions } from './html.ts'
import { passPhraseFields } from './sign-in-fields.ts'

const form = (sealed: string, fields: Markup) =>
  html`<form method="post" action="${PATHS.grants}">
    <input type="hidden" name="form" value="${sealed}" />${fields}
  </form>`

/** @param form that is sealed for this browser. */
export function signInPage(
  { form: sealed, ways, problem }: { form: string; ways: Ways; problem: string | undefined },
  options: PageOptions,
): Response {
  const { hasPassPhrases, upstream } = ways
  const body = html` ${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
    <p>Sign in to see which programs may use tools as you.</p>
    ${
      hasPassPhrases
        ? form(
            sealed,
            html`${passPhraseFields()} <button name="decision" value="enter">Sign in</button>`,
          )
        : ''
    }
    ${
      upstream === undefined
        ? ''
        : form(
            sealed,
            html`<button name="decision" value="upstream">Sign in with ${upstream}</button>`,
          )
    }`
  return page('Programs that act for you', body, options)
}

export function grantsPage(
  { form: sealed, user, grants }: { form: string; user: User; grants: readonly Grant[] },
  options: PageOptions,
): Response {
  const body = html`<p>You are <strong>${user.name}</strong>.</p>
    ${
      grants.length === 0
        ? html`<p>No program may use tools as you.</p>`
        : html`<p>
              A program that you remove can get no further access. What it has got already is valid
              for up to 15 minutes.
            </p>
            <ul>
              ${grants.map((grant) => entry(sealed, grant))}
            </ul>`
    }
    ${form(sealed, html`<button name="decision" value="leave">Sign out</button>`)}`
  return page('Programs that act for you', body, options)
}

function entry(sealed: string, { client, name, place, created, used, families }: Grant): Markup {
  const scopes = [...new Set(families.flatMap((family) => family.scopes))]
  const resources = [...new Set(families.map(({ resource }) => resource))]
  return html`<li>
    <strong>${name === '' ? 'A program without a name' : name}</strong>, ${place}<br />
    Allowed ${day(created)}, last used ${day(used)}<br />
    For ${resources.join(', ')}${scopes.length === 0 ? '' : `: ${scopes.join(', ')}`}
    ${form(sealed, html`<button name="revoke" value="${client}">Remove</button>`)}
  </li>`
}

const day = (time: number) => new Date(time).toISOString().slice(0, 10)
