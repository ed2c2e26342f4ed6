import { promises } from './stream.ts'

export const { finished, pipeline } = promises
export default promises
