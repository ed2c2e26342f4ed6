/** The guest broke a rule of the component model, such as using a handle it does not have. Ends that guest only. */
export class Trap extends Error {
  override readonly name = 'Trap'
}
