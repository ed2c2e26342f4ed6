/** Text in which nothing is hidden from the person who reads it. */

/** Characters that are invisible or change the direction of the text; line feeds and tabs can be seen. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Co}\p{Cn}]/gu

/** Hidden characters become escapes such as `\u202e`; lone surrogates, too. */
export function visible(text: string): string {
  return text
    .replace(HIDDEN, (character) =>
      [...Array(character.length).keys()].map(escapeOf(character)).join(''),
    )
    .replace(/\p{Cs}/gu, (half) => escapeOf(half)(0))
}

function escapeOf(text: string): (index: number) => string {
  return (index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`
}
