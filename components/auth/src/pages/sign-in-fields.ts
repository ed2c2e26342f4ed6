import { html, type Markup } from './html.ts'

/** As password managers know them. */
export function passPhraseFields(): Markup {
  return html`<label
      >User
      <input name="user" autocomplete="username" autocapitalize="none" required maxlength="64"
    /></label>
    <label
      >Pass phrase
      <input
        name="pass_phrase"
        type="password"
        autocomplete="current-password"
        required
        maxlength="1024"
    /></label>`
}
