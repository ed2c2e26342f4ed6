/** A component that is drawn again only when one of its properties is another value. */
import { Component, type ComponentChildren, type FunctionComponent } from 'preact'

export function memo<P extends object>(
  draw: (props: P) => ComponentChildren,
): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const before = this.props as Record<string, unknown>
      const after = next as Record<string, unknown>
      return [...Object.keys(before), ...Object.keys(after)].some(
        (name) => before[name] !== after[name],
      )
    }
    override render(props: P): ComponentChildren {
      return draw(props)
    }
  }
  return Memo as unknown as FunctionComponent<P>
}
