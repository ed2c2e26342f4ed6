/** The text of `inside.js`, which the bundler reads (`with { type: 'text' }`). */
declare const source: string
export default source
