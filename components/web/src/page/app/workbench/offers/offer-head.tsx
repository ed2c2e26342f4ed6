/** What a prompt, a resource or a template says of itself. */
import { plainWords } from '../../sign-in/challenge.ts'

interface OfferHeadProps {
  title: string
  /** Name or address. */
  code: string
  description: string
  marks: readonly string[]
}

export function OfferHead({ title, code, description, marks }: OfferHeadProps) {
  return (
    <header class="tool-head">
      <h2>{plainWords(title)}</h2>
      <p class="line">
        <code class="faint">{plainWords(code)}</code>
        {marks.map(
          (mark) =>
            mark !== '' && (
              <span key={mark} class="badge">
                {plainWords(mark)}
              </span>
            ),
        )}
      </p>
      {description !== '' && <p class="about tool-about">{description}</p>}
    </header>
  )
}
