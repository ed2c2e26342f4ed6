/** Limits of an argument that is a file, for the component that reads it and for the schema that clients see. */

export const MAX_IMAGE_BYTES = 10 * 1024 * 1024
/** Characters; more than 10 MB of image in base64 cannot be meant. */
export const MAX_IMAGE_ARGUMENT = 14_000_000
/** Of a video, a sound or a 3D model: it is in memory twice while it is uploaded. */
export const MAX_MEDIA_BYTES = 32 * 1024 * 1024
