/** What is typed and not sent, over a sign-in that leaves the page. */

const KEY = 'ftl.draft'
let typed = ''

export function noteDraft(text: string): void {
  typed = text
}

export function keepDraft(): void {
  try {
    if (typed !== '') sessionStorage.setItem(KEY, typed)
  } catch {
    // Without session storage it is lost.
  }
}

/** @returns what was typed before the page was left; empty the second time. */
export function takeDraft(): string {
  try {
    const text = sessionStorage.getItem(KEY) ?? ''
    sessionStorage.removeItem(KEY)
    return text
  } catch {
    return ''
  }
}
