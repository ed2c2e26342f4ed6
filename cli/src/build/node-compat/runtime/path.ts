import path from 'path-browserify'

export const { basename, delimiter, dirname, extname, format, isAbsolute, join } = path
export const { normalize, parse, posix, relative, resolve, sep } = path
export default path
