/** Limits of an image argument, for the component that reads it and for the schema that clients see. */

export const MAX_IMAGE_BYTES = 10 * 1024 * 1024
/** Characters; more than 10 MB of image in base64 cannot be meant. */
export const MAX_IMAGE_ARGUMENT = 14_000_000
