/** Limits of an argument that is a file, for the component that reads it and for the schema that clients see. */

export const MAX_IMAGE_BYTES = 10 * 1024 * 1024
/** Characters; more than 10 MB of image in base64 cannot be meant. */
export const MAX_IMAGE_ARGUMENT = 14_000_000
/** Pixels of all frames: what an attacker can pack into 10 MB would fill the memory of the ComfyUI server. */
export const MAX_PIXELS = 64 * 1024 * 1024
/** ComfyUI loads each frame by itself, however small it is. */
export const MAX_FRAMES = 2_000
/** Of a video, a sound or a 3D model: it is in memory twice while it is uploaded. */
export const MAX_MEDIA_BYTES = 32 * 1024 * 1024
