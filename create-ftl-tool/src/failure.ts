/** A mistake of the user's or of the surroundings; its message is the whole explanation, and says what to do. */
export class NewFailure extends Error {
  override readonly name = 'NewFailure'
}
